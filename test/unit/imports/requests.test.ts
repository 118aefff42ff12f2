// Requests as people keep them: payloads, scripts with curl, files of HTTP clients.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import type { TakeOptions } from "../../../src/imports/take.ts";
import { takeFiles } from "../../../src/imports/take.ts";

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "gate-sync-requests-"));
  mkdirSync(join(cwd, "scripts"));
  writeFileSync(join(cwd, "scripts/role.json"), '{"cluster_permissions": ["a"]}');
  writeFileSync(join(cwd, "outside.json"), '{"cluster_permissions": ["secret"]}');
  symlinkSync(join(cwd, "outside.json"), join(cwd, "scripts/link.json"));
});

afterAll(() => rmSync(cwd, { recursive: true }));

const api = "https://h:9200/_plugins/_security/api";
const hr = 'roles/hr {"cluster_permissions":["a"]}';
const body = '{"cluster_permissions": ["a"]}';

const otherHost = (own: string, first: string) =>
  `it is sent to ${own}, and requests before it to ${first}: if that is one cluster, write the same host in both; if not, import the requests of each cluster alone`;

interface Row {
  readonly path?: string;
  readonly text: string;
  readonly options?: Partial<TakeOptions>;
  readonly taken?: readonly string[];
  readonly left?: readonly string[];
  readonly error?: string;
}

const shell: Readonly<Record<string, Row>> = {
  "a body in single quotes": {
    text: `curl -k -XPUT '${api}/roles/hr' -H 'Content-Type: application/json' -d '${body}'`,
    taken: [hr],
  },
  "options in one word, and lines that go on": {
    text: `curl -skXPUT \\\n  -u admin:geheim \\\n  --data-binary ${JSON.stringify(body)} \\\n  ${api}/roles/hr`,
    taken: [hr],
  },
  "a here-document": {
    text: `curl -X PUT "$URL/_plugins/_security/api/roles/hr" -d @- <<'EOF'\n${body}\nEOF\n`,
    taken: [hr],
  },
  "a here-document with variables": {
    text: `ROLE=hr\ncurl -X PUT $URL/_opendistro/_security/api/roles/$ROLE -d @- <<-EOF\n\t{"cluster_permissions": ["\${ROLE}-\${PERM:-x}"]}\n\tEOF\n`,
    taken: ['roles/hr {"cluster_permissions":["hr-\ue000PERM\ue003shell:-x\ue001"]}'],
  },
  "a file beside it": {
    text: `curl -T role.json ${api}/roles/hr; curl -X PUT ${api}/roles/b -d @./role.json`,
    taken: [hr, hr.replace("hr", "b")],
  },
  "a file by cat": { text: `curl -X PUT ${api}/roles/hr -d "$(cat role.json)"`, taken: [hr] },
  "a here-document by cat": { text: `curl -X PUT ${api}/roles/hr -d "$(cat <<EOF\n${body}\nEOF\n)"`, taken: [hr] },
  "a file of which the folder is found out": {
    text: `D="$(cd "$(dirname "$0")" && pwd)"\ncurl -X PUT ${api}/roles/hr -d @$D/role.json`,
    taken: [hr],
  },
  "files outside of the folder": {
    text: `curl -X PUT ${api}/roles/a -d @../outside.json\ncurl -X PUT ${api}/roles/b -d @/etc/passwd\ncurl -X PUT ${api}/roles/c -d @link.json\ncurl -X PUT ${api}/roles/d -d @$X.json\ncurl -X PUT ${api}/roles/e -d @none.json`,
    left: [
      "a (../outside.json): its payload is outside of the folder of the script: add the file to the command",
      "b (/etc/passwd): its payload is outside of the folder of the script: add the file to the command",
      "c (link.json): its payload cannot be read: it leads out of the repository",
      "d ($X.json): its payload is a file whose name depends on a variable",
      "e (none.json): its payload is not in the folder of the script: add the file to the command",
    ].map((rest) => `PUT /_plugins/_security/api/roles/${rest}`),
  },
  "quotes in quotes": {
    text: `curl -X PUT ${api}/rolesmapping/hr -d '{"backend_roles": ["'$ROLE'"], "users": ["it'\\''s"]}'`,
    taken: ['role_mappings/hr {"backend_roles":["\ue000ROLE\ue003shell\ue001"],"users":["it\'s"]}'],
  },
  users: {
    text: `curl -X PUT ${api}/internalusers/ana -d "{\\"password\\": \\"$PW\\"}"`,
    taken: ['internal_users/ana {"password":"\ue000PW\ue003shell\ue001"}'],
  },
  "single documents, by a path with the name of their entry or without": {
    text: `curl -X PUT ${api}/audit/config -d '{"enabled": false}'\ncurl -X PUT ${api}/allowlist -d '{"enabled": false}'\ncurl -X PATCH ${api}/allowlist -d '[{"op": "add", "path": "/config/requests", "value": {"/": ["GET"]}}]'\ncurl -X PUT ${api}/nodesdn/c1 -d '{"nodes_dn": ["CN=a"]}'`,
    taken: [
      'audit/config {"enabled":false}',
      'allowlist/config {"enabled":false,"requests":{"/":["GET"]}}',
      'nodes_dn/c1 {"nodes_dn":["CN=a"]}',
    ],
  },
  "requests that change nothing, or something else": {
    text: `curl ${api}/roles\ncurl -XPOST -d 'x' https://h/_search?q=1\ncurl -X PUT ${api}/migrate -d '{}'\ncurl -XPOST ${api}/internalusers/x/authtoken\nls -l # curl -X PUT ${api}/roles/no`,
    left: [
      "GET /_plugins/_security/api/roles: it changes nothing",
      "POST /_search: no request to the security plugin",
      "PUT /_plugins/_security/api/migrate: not managed by gate-sync",
      "POST /_plugins/_security/api/internalusers/x/authtoken: only PUT, PATCH and DELETE change entries",
    ],
  },
  "loops and functions": {
    text: `for r in a b; do curl -X PUT ${api}/roles/$r -d '${body}'; curl -X PUT ${api}/roles/hr -d '${body}'; done\nput() {\n  curl -X PUT "${api}/$1" -d "$2"\n}\nput roles/x '{}'`,
    taken: ["a", "hr", "b"].map((name) => hr.replace("hr", name)).concat("roles/x {}"),
  },
  "a loop over words, over several lines": {
    text: `names="c d"\nlist=("e*" f)\nfor t in a 'b x' \\\n  $names "\${list[@]}" # all\ndo\n  curl -X PUT "$url/_plugins/_security/api/tenants/\${t}" -d '{"description": "of '"$t"'"}'\ndone\ncurl -X PUT "$url/_plugins/_security/api/tenants/last-$t" -d '{}'`,
    taken: ["a", "b x", "c", "d", "e*", "f"]
      .map((name) => `tenants/${name} {"description":"of ${name}"}`)
      .concat("tenants/last-f {}"),
  },
  "a loop over words that are partly a variable": {
    text: `names="c d"\nfor t in x-$names; do curl -X PUT ${api}/tenants/$t -d '{}'; done`,
    taken: ["tenants/x-c {}", "tenants/d {}"],
  },
  "a loop over words that are cut into parts": {
    text: `for pair in ana:a/b.c bo:d; do curl -X PUT ${api}/tenants/\${pair%%:*} -d '{"description": "'"\${pair##*:}"'"}'; done\nput() { curl -X PUT ${api}/tenants/\${1#x-} -d '{}'; }\nput x-hr`,
    taken: ['tenants/ana {"description":"a/b.c"}', 'tenants/bo {"description":"d"}', "tenants/hr {}"],
  },
  "loops over what is not known": {
    text: ["$(ls)", "*.json", '"$@"', "$NAMES", "{1..3}", "$list"]
      .map((words, at) => `for t in ${words}; do curl -X PUT ${api}/roles/${at}-$t -d '{}'; done\n`)
      .toSpliced(-1, 0, "IFS=,\nlist=a,b\n")
      .join(""),
    left: [
      "what a command prints",
      "words that are known only when it runs",
      "the arguments of the script",
      "$NAMES, whose value is unknown",
      "words that are known only when it runs",
      "words that are known only when it runs",
    ].map((words, at) => `PUT /_plugins/_security/api/roles/${at}-$t: it is in a loop over ${words}`),
  },
  "a loop that tries again, and one that skips a word": {
    text: `for n in 1 2 3; do curl -X PUT ${api}/roles/hr -d '${body}' && break; done
for t in a b; do curl -X PUT ${api}/roles/$t -d '{}'; [ "$t" = a ] && continue; curl -X PUT ${api}/roles/$t-ro -d '{}'; done
for t in c d; do curl -X PUT ${api}/roles/$t -d '{}'; [ -f x ] && break; done
curl -X PUT ${api}/roles/$t -d '{}'
if [ "$x" ]; then for t in e; do curl -X PUT ${api}/roles/$t -d '{}'; done; fi`,
    taken: [hr, "roles/a {}", "roles/b {}", "roles/c {}", "roles/\ue000t\ue00311\ue001 {}"],
    left: [
      "a-ro: it is in a loop that may end before it",
      "b-ro: it is in a loop that may end before it",
      "d: it is in a loop that may end before it",
      "e: it is in a branch of a condition, and may not be sent",
    ].map((rest) => `PUT /_plugins/_security/api/roles/${rest}`),
  },
  "a here-document after its loop": {
    text: `for t in a b; do curl -X PUT ${api}/roles/$t -d @-  <<EOF; done\n{}\nEOF\nfor t in c; do curl -X PUT ${api}/roles/$t -d @- <<EOF; done\n{}\nEOF`,
    taken: ["roles/c {}"],
    left: ["PUT /_plugins/_security/api/roles/a: it reads a here-document that comes after its loop"],
  },
  "loops in loops that run too often": {
    text: `${"for t in 1 2 3 4 5 6 7 8 9 0; do ".repeat(6)}:${"; done".repeat(6)}`,
    error: "Its functions and loops run too often for all of it to be read.",
  },
  "functions around curl": {
    text: `api() { local url="$URL$1"; shift; curl -sk "$url" "$@"; }
call() {
  curl -s "$@"
}
function put { call -X PUT "$URL/_plugins/_security/api/$1" -d "$2" || { echo "no: $1"; exit 1; }; }
answer="$(put roles/hr '${body}')"
[ "$answer" = ok ] && put roles/y '{}'
unused() { curl -X PUT ${api}/roles/z -d '{}'; }
again() { curl -X PUT $URL/_plugins/_security/api/roles/again -d '{}' || { again; again; }; }
again
LONG=aaaaaaaaaa
LIST=(a b)
${'LONG="$LONG$LONG"\nLIST=("${LIST[@]}" "${LIST[@]}")\n'.repeat(60)}`,
    taken: [hr, "roles/again {}"],
    left: [
      "PUT /_plugins/_security/api/roles/y: it is sent only if the command before it succeeds",
      ...["", ""].map(() => "PUT /_plugins/_security/api/roles/again: it is in a function that calls itself"),
      "GET $url: it is in a function that is not called here",
      "GET $argument: it is in a function that is not called here",
      "PUT /_plugins/_security/api/roles/z: it is in a function that is not called here",
    ],
  },
  "functions that move their arguments": {
    text: `api() { local m="$1" p="$2"; shift 2; curl -k -X "$m" "h/_plugins/_security/api/$p" "$@"; }\napi PUT roles/hr -H 'A: b' -d '${body}'\napi PUT roles/b --data @role.json\nlast() { shift; curl -X PUT h/_plugins/_security/api/roles/$1 -d '{}'; }\nlast a c`,
    taken: [hr, hr.replace("hr", "b"), "roles/c {}"],
  },
  "functions that end the script": {
    text: `die() { echo "$1"; exit 1; }\n[ -n "$X" ] || die no\ncheck() { [ -n "$Y" ] && return; exit 1; }\ncurl -X PUT ${api}/roles/hr -d '${body}' || die no\ndie\ncurl -X PUT ${api}/roles/a -d '{}'`,
    taken: [hr],
    left: ["PUT /_plugins/_security/api/roles/a: the script, or the function that it is in, ends before it"],
  },
  "functions called too often": {
    text: `f() { curl -X PUT ${api}/roles/hr -d '${body}'; }\ng() { f; f; }\n${"g\n".repeat(5000)}`,
    error: "Its functions and loops run too often for all of it to be read.",
  },
  "requests that may not be sent": {
    text: `put() { curl -X PUT ${api}/roles/$1 -d '${body}'; }
if [ "$ENV" = prod ]; then
  put a
elif x=$(put b); then
  put c
else put d; fi
case $1 in
  x) put e ;;
  *) put f
esac
while read -r r; do put g; done < roles.txt
for f in roles/*.json; do put h; done
[ -n "$X" ] && put i
put hr || put j
test -f x || { put k; put l; }
for n in 1 2; do put m; [ "$n" = 1 ] && break; put n; done
cd /tmp && curl -X PUT ${api}/roles/o -d '${body}' &&
  put p
(exit 1)
until curl -f ${api}/roles; do sleep 1; done
exit 0
put q`,
    taken: ["hr", "m", "o", "p"].map((name) => hr.replace("hr", name)),
    left: [
      ...["a", "b", "c", "d", "e", "f"].map((name) => `${name}: it is in a branch of a condition, and may not be sent`),
      "g: it is in a loop that may not run",
      "h: it is in a loop over words that are known only when it runs",
      "i: it is sent only if the command before it succeeds",
      ...["j", "k", "l"].map((name) => `${name}: it is sent only if the command before it fails`),
      "n: it is in a loop that may end before it",
      "q: the script, or the function that it is in, ends before it",
    ]
      .map((rest) => `PUT /_plugins/_security/api/roles/${rest}`)
      .toSpliced(-1, 0, "GET /_plugins/_security/api/roles: it changes nothing"),
  },
  "a variable, an alias and an array that call curl": {
    text: `CURL="curl -s -k"\n$CURL -X PUT ${api}/roles/a -d '{}'\nalias c='curl -k'\nc -X PUT ${api}/roles/b -d '{}'\nCALL=(curl -k # no word\n  -u "a:b c")\nCALL+=(-X PUT)\n"\${CALL[@]}" ${api}/roles/c -d '{}'`,
    taken: ["roles/a {}", "roles/b {}", "roles/c {}"],
  },
  "requests that no curl command sends": {
    text: `wget --method=PUT --body-data='{}' ${api}/roles/a?x=geheim
http PUT admin:geheim@h/_searchguard/api/roles/b x=geheim
Invoke-RestMethod -Method Put -Uri "${api}/roles/c"
$TOOL -X PUT ${api}/roles/d
"$CURL" -X PUT ${api}/roles/e
echo "curl -X PUT ${api}/roles/f"
ssh h "curl -X PUT $URL/_security/api/roles/g"
python3 - <<EOF
requests.put("${api}/roles/h", auth=("admin", "geheim"))
EOF
answer=\`wget ${api}/roles/i\`
UNUSED=${api}/roles/j
USED=${api}/roles/k
curl -X PUT $USED -d '{}'
# curl -X PUT ${api}/roles/no
curl -K requests.txt`,
    taken: ["roles/k {}"],
    left: [
      "/_plugins/_security/api/roles/a: not a curl command: only requests of curl are read in scripts",
      "/_searchguard/api/roles/b: not a curl command: only requests of curl are read in scripts",
      "/_plugins/_security/api/roles/c: not a curl command: only requests of curl are read in scripts",
      "/_plugins/_security/api/roles/d: the command that sends it is a variable, whose value is unknown",
      "/_plugins/_security/api/roles/e: the command that sends it is a variable, whose value is unknown",
      "/_plugins/_security/api/roles/f: it is printed, and sent by no curl command here",
      "/_security/api/roles/g: not a curl command: only requests of curl are read in scripts",
      "/_plugins/_security/api/roles/h: not a curl command: only requests of curl are read in scripts",
      "/_plugins/_security/api/roles/i: not a curl command: only requests of curl are read in scripts",
      "curl --config: requests in a file of options are not read",
      "/_plugins/_security/api/roles/j: no curl command that can be read here sends it",
    ],
  },
  "what another command prints": {
    text: `echo '${body}' | curl -X PUT ${api}/roles/hr -d @-
cat <<EOF | curl -X PUT ${api}/roles/a -d @-
${body}
EOF
cat role.json | curl -T - ${api}/roles/b
printf '%s' "${body.replaceAll('"', '\\"')}" | sudo curl -X PUT ${api}/roles/c -d @-
jq . role.json | curl -X PUT ${api}/roles/d -d @-
echo '{"a": "\\n"}' | curl -X PUT ${api}/roles/e -d @-`,
    taken: ["hr", "a", "b", "c"].map((name) => hr.replace("hr", name)),
    left: [
      ...["d", "e"].map(
        (name) => `PUT /_plugins/_security/api/roles/${name}: its data are what another command prints`,
      ),
    ],
  },
  "data whose text is unknown": {
    text: `curl -X PUT ${api}/roles/hr -d '${body}'
curl -X PUT ${api}/roles/a -d "$(jq -n '{}')"
curl -X PUT ${api}/roles/b -d "$BODY"`,
    taken: [hr],
    left: ["a", "b"].map(
      (name) => `PUT /_plugins/_security/api/roles/${name}: its data are in a variable, or what a command prints`,
    ),
  },
  "what is given to a function": {
    text: `put() {
  curl -XPUT "${api}/$1" -d @-
}
send() { local path=$1; shift; curl -XPUT "$@" "${api}/$path"; }
two() { curl -XPUT "${api}/$1" "$2" "$3"; }
keep() { local body; body=$(cat); curl -XPUT "${api}/$1" -d "$body"; }
sure() { curl -XPUT "${api}/$1" --json @/dev/stdin || { echo no; exit 1; }; }
rest() { curl -XPUT "${api}/$1" "\${@:2}"; }
piped() { cat | curl -XPUT "${api}/$1" -d @-; }
outer() { put "$1" || exit 1; }
put roles/hr <<J
${body}
J
echo '${body}' | put roles/a
cat <<J | put roles/b
${body}
J
put roles/c < role.json
put roles/d <<<'${body}'
send roles/e --data-binary @- <<J
${body}
J
two roles/f -d @- <<J || exit 1
${body}
J
keep roles/g <<J
${body}
J
piped roles/h <<J
${body}
J
outer roles/i <<J
${body}
J
cat role.json |
  put roles/j
sure roles/m <<J
${body}
J
rest roles/n -d @- <<J
${body}
J
for name in k l; do
  put "roles/$name" <<J
${body}
J
done`,
    taken: ["hr", ..."abcdefghijmnkl"].map((name) => hr.replace("hr", name)),
  },
  "what is given to a function, and is not surely what curl sends": {
    text: `twice() { tee -a log; curl -XPUT ${api}/roles/a -d @-; }
other() { jq . role.json | curl -XPUT ${api}/roles/b -d @-; }
group() { { curl -XPUT ${api}/roles/c -d @-; } < role.json; }
none() { curl -XPUT ${api}/roles/d -d @-; }
keep() { body=$(cat); curl -XPUT ${api}/roles/e -d "$body"; }
own() { curl -XPUT ${api}/roles/own -d @- < role.json; }
twice <<< '{}'
other <<< '{}'
group <<< '{}'
none
jq . role.json | none
pipes() { jq . role.json | none; }
pipes <<< '{}'
own <<< '{}'`,
    taken: [hr.replace("hr", "own")],
    left: [
      "PUT /_plugins/_security/api/roles/a: a command before it in its function may read its data",
      "PUT /_plugins/_security/api/roles/b: its data are what another command prints",
      "PUT /_plugins/_security/api/roles/c: its data come from standard input, which is unknown",
      ...["d", "d", "d"].map(
        (name) => `PUT /_plugins/_security/api/roles/${name}: its data come from standard input, which is unknown`,
      ),
      "PUT /_plugins/_security/api/roles/e: it is in a function that is not called here",
    ],
  },
  "patterns of curl in URLs": {
    text: `curl -X PUT '${api}/roles/{x,y}' -d '{}'\ncurl -X PUT '${api}/roles/[1-3]' -d '{}'\ncurl -g -X PUT '${api}/roles/[z]' -d '{}'\ncurl -X PUT 'https://[::1]:9200/_plugins/_security/api/roles/v6' -d '{}'`,
    taken: ["roles/[z] {}"],
    left: [
      ...["{x,y}", "[1-3]"].map(
        (name) =>
          `PUT /_plugins/_security/api/roles/${name}: its URL is a pattern of curl ({…} or […]), which may stand for several requests; write them one by one`,
      ),
      `PUT /_plugins/_security/api/roles/v6: ${otherHost("[::1]:9200", "h:9200")}`,
    ],
  },
  "several requests of one call": {
    text: `curl -X PUT ${api}/roles/hr -d '${body}' --next -X PUT ${api}/roles/b -d '{}'`,
    taken: [hr, "roles/b {}"],
  },
  "requests to two hosts": {
    text: `curl -X PUT https://a:b@PROD:9200/_plugins/_security/api/roles/hr -d '${body}'\ncurl -X PUT http://prod:9200/_plugins/_security/api/roles/b -d '{}'\ncurl -X PUT https://dev:9200/_plugins/_security/api/roles/hr -d '{}'\ncurl -X DELETE $DEV/_plugins/_security/api/roles/b`,
    taken: [hr, "roles/b {}"],
    left: [
      `PUT /_plugins/_security/api/roles/hr: ${otherHost("dev:9200", "prod:9200")}`,
      `DELETE /_plugins/_security/api/roles/b: ${otherHost("$DEV", "prod:9200")}`,
    ],
  },
  "a host that is the default of a variable": {
    text: `URL="\${OS_URL:-https://u:geheim@prod:9200}"\ncurl -X PUT $URL/_plugins/_security/api/roles/hr -d '${body}'\ncurl -X PUT https://prod:9200/_plugins/_security/api/roles/b -d '{}'\nH=\${HOST:-prod}\ncurl -X PUT "https://$H:9200/_plugins/_security/api/roles/c" -d '{}'\ncurl -X PUT "$OTHER/_plugins/_security/api/roles/d" -d '{}'`,
    taken: [hr, "roles/b {}", "roles/c {}"],
    left: [`PUT /_plugins/_security/api/roles/d: ${otherHost("$OTHER", "prod:9200 (the default of OS_URL)")}`],
  },
  "a default that is not where other requests are sent": {
    text: `curl -X PUT ${api}/roles/hr -d '${body}'\nO="\${OS_URL:-https://u:geheim@dev:9200}"\ncurl -X PUT $O/_plugins/_security/api/roles/b -d '{}'\ncurl -X PUT $O/_index_template/logs -d '{}'`,
    taken: [hr],
    left: [
      `PUT /_plugins/_security/api/roles/b: ${otherHost("dev:9200 (the default of OS_URL)", "h:9200")}`,
      "PUT $OS_URL/_index_template/logs: no request to the security plugin",
    ],
  },
  "a host that is a variable with another value, or another name": {
    text: `curl -X PUT $H/_plugins/_security/api/roles/hr -d '${body}'\ncurl -X PUT $h/_plugins/_security/api/roles/b -d '{}'\n. ./dev.env\ncurl -X PUT $H/_plugins/_security/api/roles/c -d '{}'`,
    taken: [hr],
    left: [
      `PUT /_plugins/_security/api/roles/b: ${otherHost("$h", "$H")}`,
      "PUT /_plugins/_security/api/roles/c: its host is a variable that may have another value than before; import the requests of each cluster alone",
    ],
  },
  "a command in a container": {
    text: `kubectl exec pod -- bash -c "curl -X PUT ${api}/roles/hr -d '{\\"cluster_permissions\\": [\\"a\\"]}'"`,
    taken: [hr],
  },
  "a later request of the same name, and deletions": {
    text: `curl -X PUT ${api}/roles/hr -d '{}'\ncurl -X PUT ${api}/roles/hr -d '${body}'\ncurl -X PUT ${api}/roles/b -d '{}'\ncurl -X DELETE ${api}/roles/b\ncurl -X DELETE ${api}/roles/c`,
    taken: [hr],
    left: [
      "roles/hr: replaced by a later request",
      "roles/b: deleted by a later request",
      "DELETE /_plugins/_security/api/roles/c: a deletion of what the input does not hold",
    ],
  },
  "a patch of entries": {
    text: `curl -X PATCH ${api}/roles -d '[{"op":"add","path":"/hr","value":{}},{"op":"add","path":"/a~1b","value":{"cluster_permissions":["x"]}}]'
curl -X PATCH ${api}/roles -d '[{"op":"remove","path":"/zz"}]'
curl -X PATCH ${api}/roles/hr -d '[{"op":"add","path":"/cluster_permissions","value":[]},{"op":"add","path":"/cluster_permissions/-","value":"a"}]'
curl -X PATCH ${api}/rolesmapping/all_access -d '[{"op":"add","path":"/backend_roles/-","value":"arn"}]'`,
    taken: [hr, 'roles/a/b {"cluster_permissions":["x"]}'],
    left: [
      "remove roles/zz: a deletion of what the input does not hold",
      "add role_mappings/all_access/backend_roles/-: it changes a part of an entry that the input does not hold; gate-sync export writes the whole of it",
    ],
  },
  "a patch that moves and copies": {
    text: `curl -X PUT h/_searchguard/api/roles/src -d '${body}'
curl -X PATCH h/_searchguard/api/roles -d '[{"op":"test","path":"/src/cluster_permissions","value":["a"]},{"op":"copy","from":"/src","path":"/copied"},{"op":"move","from":"/src","path":"/dst"}]'
curl -X PATCH h/_searchguard/api/roles/dst -d '[{"op":"add","path":"/description","value":"d"},{"op":"move","from":"/description","path":"/cluster_permissions/0"}]'`,
    taken: ['roles/copied {"cluster_permissions":["a"]}', 'roles/dst {"cluster_permissions":["d","a"]}'],
    left: ["roles/src: deleted by a later request"],
  },
  "a patch with an operation that fails": {
    text: `curl -X PUT ${api}/roles/hr -d '${body}'
curl -X PATCH ${api}/roles/hr -d '[{"op":"add","path":"/cluster_permissions/0","value":"b"},{"op":"replace","path":"/nope/1","value":"z"}]'
curl -X PATCH ${api}/roles -d '[{"op":"remove","path":"/hr"},\n{"op":"move","from":"/hr","path":"/b"}]'
curl -X PUT h:9200/_searchguard/api/roles/x -d '${body}'
curl -X PATCH h:9200/_searchguard/api/roles/x -d '[{"op":"remove","path":"/cluster_permissions"},{"op":"test","path":"/x","value":1},{"op":"copy","from":"/y","path":"/z"}]'`,
    taken: [hr, hr.replace("hr", "x")],
    left: [
      "PATCH /_plugins/_security/api/roles/hr: a server takes all operations of a patch or none; in line 2, replace roles/hr/nope/1 leads nowhere in the entry. So it changes nothing here: roles/hr",
      "PATCH /_plugins/_security/api/roles: a server takes all operations of a patch or none; in line 4, move is none of add, replace, remove. So it changes nothing here: roles/hr, roles/b",
      "PATCH /_searchguard/api/roles/x: a server takes all operations of a patch or none; in line 6, whether the test passes is unknown. So it changes nothing here: roles/x",
    ],
  },
  "a patch with an operation for an entry that nothing made": {
    text: `curl -X PUT ${api}/roles/hr -d '${body}'
curl -X PATCH ${api}/roles -d '[{"op":"add","path":"/hr/description","value":"d"},\n{"op":"remove","path":"/ghost"}]'
curl -X PATCH ${api}/roles -d '[{"op":"add","path":"/hr/description","value":"d"},\n{"op":"remove","path":"/ghost/description"}]'
curl -X PATCH ${api}/roles/hr -d '[{"op":"remove","path":"/ghost"},{"op":"add","path":"/description","value":"e"}]'`,
    taken: [hr.replace("}", ',"description":"e"}')],
    left: [
      "remove roles/ghost: a deletion of what the input does not hold",
      "PATCH /_plugins/_security/api/roles: a server takes all operations of a patch or none; in line 5, remove roles/ghost/description is for an entry that the input does not hold. So it changes nothing here: roles/hr, roles/ghost",
    ],
  },
  "the config": {
    text: `curl -X PUT ${api}/securityconfig/config -d '{"dynamic": {"http": {}}}'\ncurl -X PATCH ${api}/securityconfig -d '[{"op":"replace","path":"/config/dynamic/http","value":{"xff":{}}}]'`,
    taken: ['config/ {"dynamic":{"http":{"xff":{}}}}'],
  },
  "a quote without end": { text: "#!/bin/bash\ncurl -X PUT 'x\n", error: "This quote is not closed." },
  "a here-document without end": { text: "curl -d @- <<EOF\n{}\n", error: "This here-document has no end." },
  "a body that is no JSON": { text: `curl -X PUT ${api}/roles/hr -d '{"a": [}'`, error: "" },
  "commands in commands without end": { text: `#!/bin/sh\n${"$(a ".repeat(5000)}`, error: "" },
};

const http: Readonly<Record<string, Row>> = {
  "comments in a body": {
    text: `PUT ${api}/rolesmapping/hr\n{\n  "backend_roles": ["a//b", "\\"//"], // of HR\n  // no field\n  "users": ["ana"]\n}\n`,
    taken: ['role_mappings/hr {"backend_roles":["a//b","\\"//"],"users":["ana"]}'],
  },
  "a file of requests": {
    path: "a.http",
    text: `@host = https://h:9200
@role = hr
### create
# @name put
PUT {{host}}/_plugins/_security/api/roles/{{role}} HTTP/1.1
Content-Type: application/json
Authorization: Basic {{login}}

${body}

> {% client.test("x", () => {}) %}

###
GET {{host}}/_search
`,
    taken: [hr],
    left: ["GET {{host}}/_search".replace("{{host}}", "") + ": no request to the security plugin"],
  },
  "requests of the console": {
    path: "console.txt",
    text: `# a role\nPUT _plugins/_security/api/roles/hr\n{\n  "cluster_permissions": ["a"]\n}\nPUT _plugins/_security/api/tenants/t\n{"description": "{{text}}"}\n`,
    taken: [hr, 'tenants/t {"description":"\ue000text\ue003http\ue001"}'],
  },
  "texts and comments of the console": {
    path: "console.txt",
    text: `PUT _plugins/_security/api/roles/a
{
  # no field
  "index_permissions": [{"dls": """{"term":
# no comment
{"a": "b"}}""", "fls": ["//x", "/*"] /* no
field */}] // no field
}
PUT /_plugins/_security/api/roles/hr
${body}
`,
    taken: [
      'roles/a {"index_permissions":[{"dls":"{\\"term\\":\\n# no comment\\n{\\"a\\": \\"b\\"}}","fls":["//x","/*"]}]}',
      hr,
    ],
  },
  "a body in a file": {
    path: "scripts/a.rest",
    text: `PUT ${api}/roles/hr\nAccept: */*\n\n< ./role.json\n`,
    taken: [hr],
  },
};

const postman = (items: readonly object[], rest: object = {}) =>
  JSON.stringify({
    info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    item: items,
    ...rest,
  });

const put = (url: unknown, raw: string, method = "PUT") => ({ request: { method, url, body: { mode: "raw", raw } } });

const variables = [
  { key: "base", value: "https://admin:geheim@h:9200" },
  { key: "api", value: "{{base}}/_plugins/_security/api" },
  { key: "team", value: "hr" },
  { key: "off", value: "x", disabled: true },
];

const collections: Readonly<Record<string, Row>> = {
  "requests in folders, with variables of the collection and of a folder": {
    text: postman(
      [
        {
          name: "roles",
          item: [put({ raw: "{{api}}/roles/{{team}}" }, body)],
          variable: [{ key: "team", value: "hr" }],
        },
        put("{{api}}/roles/b", '{"cluster_permissions": ["a", "{{team}}", "{{off}}", "{{$guid}}"] // one\n}'),
        put({ host: ["{{api}}"], path: ["roles", ":name"], variable: [{ key: "name", value: "hr" }] }, "", "DELETE"),
        put(
          { host: ["h:9200"], path: ["_plugins", "_security", "api", "tenants", "t"] },
          '{"description": "{{ a b }}"}',
        ),
        { request: "{{api}}/roles" },
        put("{{api}}/rolesmapping/hr", '{"users": ['),
        { request: { method: "PUT", url: "{{api}}/roles/f", body: { mode: "file", file: { src: "/etc/passwd" } } } },
      ],
      { variable: variables },
    ),
    taken: [
      'roles/b {"cluster_permissions":["a","hr","\ue000off\ue003postman 6f6666\ue001","\ue000guid\ue0031\ue001"]}',
      'tenants/t {"description":"\ue000a_b\ue003postman 612062\ue001"}',
    ],
    left: [
      "roles/hr: deleted by a later request",
      "GET /_plugins/_security/api/roles: it changes nothing",
      "PUT /_plugins/_security/api/rolesmapping/hr: its body is no JSON",
      "PUT /_plugins/_security/api/roles/f: it has no body that can be read here",
    ],
  },
  "values that scripts may replace": {
    text: postman([put("{{api}}/roles/a", '{"cluster_permissions": ["{{team}}", "{{base}}"]}')], {
      event: [
        { script: { exec: ['pm.environment.set("team", 1)', "pm.sendRequest('/_plugins/_security/api/roles/s')"] } },
      ],
      variable: [...variables.slice(1), { key: "base", value: "h" }],
    }),
    taken: ['roles/a {"cluster_permissions":["\ue000team\ue003postman 7465616d\ue001","h"]}'],
    left: ["/_plugins/_security/api/roles/s: a script of the collection names it, and scripts are not run"],
  },
  "scripts that set any value": {
    text: postman([{ ...put("{{api}}/roles/a", body), event: [{ script: { exec: "pm.variables.set(name, 1)" } }] }], {
      variable: [{ key: "api", value: "h/_plugins/_security/api" }],
    }),
    left: ["PUT $api/roles/a: its path is a variable, whose value is unknown"],
  },
  "a base that may be the URL of the API": {
    path: "a.sh",
    text: `curl -X PUT "$API/roles/a" -d '${body}'\ncurl -X PUT "$OTHER/_ingest/a" -d '{}'\n`,
    left: [
      "PUT $API/roles/a: its path is a variable, whose value is unknown",
      "PUT $OTHER/_ingest/a: no request to the security plugin",
    ],
  },
  "secret variables": {
    text: postman([put("_plugins/_security/api/tenants/a", '{"description": "{{api_token}} {{key}}"}')], {
      variable: [
        { key: "api_token", value: "geheim" },
        { key: "key", value: "geheim", type: "secret" },
      ],
    }),
    taken: [
      'tenants/a {"description":"\ue000api_token\ue003postman 6170695f746f6b656e\ue001 \ue000key\ue003postman 6b6579\ue001"}',
    ],
  },
  "a script that chooses requests": {
    text: postman([
      { ...put("_plugins/_security/api/roles/a", body), event: [{ script: { exec: ["pm.execution.skipRequest()"] } }] },
    ]),
    left: ["PUT _plugins/_security/api/roles/a: scripts of the collection decide which requests are sent"],
  },
  "variables that grow": {
    text: postman([put("_plugins/_security/api/tenants/a", '{"description": "{{v9}}"}')], {
      variable: Array.from({ length: 10 }, (_, at) => ({
        key: `v${at}`,
        value: at === 0 ? "x".repeat(1000) : `{{v${at - 1}}}`.repeat(20),
      })),
    }),
    left: [
      "tenants/a: what {{v6}} gives is not known here. Have the tool that it is for render it, and import the result",
    ],
  },
  "an environment": {
    text: '{"values": [{"key": "pw", "value": "geheim"}], "_postman_variable_scope": "environment"}',
    left: [
      "an environment of Postman: its values are not used: give those that entries need as vars of the target, secrets as variables",
    ],
  },
  "a program": {
    path: "setup.py",
    text: 'requests.put("https://h/_plugins/_security/api/roles/a", json={})',
    left: [
      "setup.py: programs are not read: run it against gate-sync emulator --product PRODUCT and export that with gate-sync export --url, or export the live cluster",
    ],
  },
};

const payloads: Readonly<Record<string, Row>> = {
  "the body of a PUT": { path: "x.json", text: body, options: { family: "roles", name: "hr" }, taken: [hr] },
  "the answer to a GET": {
    path: "x.json",
    text: `{"hr": ${body}, "_meta": {"type": "roles"}}`,
    options: { family: "roles" },
    taken: [hr],
  },
  "a patch of a family": {
    path: "x.json",
    text: `[{"op": "add", "path": "/hr", "value": ${body}}]`,
    options: { family: "roles" },
    taken: [hr],
  },
  "tabs and escapes as JSON has them": {
    path: "x.json",
    text: '{\n\t"description":\t"a\\/b \\u00e9"\n}',
    options: { family: "tenants", name: "t" },
    taken: ['tenants/t {"description":"a/b é"}'],
  },
  nothing: {
    path: "x.json",
    text: "\n",
    options: { family: "roles", name: "hr" },
    left: ["the file: it has no entries"],
  },
  "a JSON Patch that not all products take": {
    path: "x.json",
    text: '[{"op":"add","path":"/a","value":{}},{"op":"move","from":"/a","path":"/b"}]',
    options: { family: "roles" },
    left: [
      "PATCH roles: a server takes all operations of a patch or none; in line 1, move is unknown to OpenSearch, and nothing says which product this is for: state it with --product. So it changes nothing here: roles/a, roles/b",
    ],
  },
  "the same, of a product that the user states": {
    path: "x.json",
    text: '[{"op":"add","path":"/a","value":{}},{"op":"move","from":"/a","path":"/b"}]',
    options: { family: "roles", product: "search-guard" },
    taken: ["roles/b {}"],
    left: ["roles/a: deleted by a later request"],
  },
  "a body without a name": { path: "x.json", text: body, options: { family: "roles" }, error: "nothing says its name" },
};

describe.each<[string, Readonly<Record<string, Row>>, string]>([
  ["a script", shell, "scripts/a.sh"],
  ["an HTTP file", http, "a.http"],
  ["a payload", payloads, "x.json"],
  ["a collection of Postman", collections, "x.json"],
])("import takes of %s", (_, rows, usual) => {
  test.each(Object.entries(rows))("%s", (_, { path = usual, text, options, taken = [], left = [], error }) => {
    const found = takeFiles([createSourceFile(path, text)], { cwd, ...options });
    if (error !== undefined) {
      expect(found.diagnostics[0]?.what).toContain(error);
      return;
    }
    expect(found.diagnostics.map(({ what }) => what)).toEqual([]);
    expect(found.entries.map(({ family, name, body: value }) => `${family}/${name} ${JSON.stringify(value)}`)).toEqual(
      taken,
    );
    expect(found.left.map(({ what, why }) => `${what}: ${why}`)).toEqual(left);
  });
});

test("import says where a body of an HTTP file is no JSON", () => {
  const text = 'PUT _plugins/_security/api/roles/a\n# one\n{\n  # two\n  "d": """x\ny""", /* z\n */\n  "a": [}\n';
  const [first] = takeFiles([createSourceFile("a.http", text)], { cwd }).diagnostics;
  const { file, start = 0 } = first?.range ?? {};
  expect(file?.text.slice(0, start).split("\n").length).toBe(8);
});

test.each([
  [[], {}, []],
  [["PUT /_searchguard/api/roles/a\n\n{}\n"], {}, ["search-guard"]],
  [[], { product: "search-guard" } as const, []],
])("import takes no product from a payload itself: beside %j", (others, stated, products) => {
  const payload = createSourceFile("x.json", `{"hr": ${body}}`);
  const files = [...others.map((text) => createSourceFile("a.http", text)), payload];
  expect([...takeFiles(files, { cwd, family: "roles", ...stated }).products]).toEqual(products);
});

test.each([
  ["as the script has it", "scripts/role.json", "role.json"],
  ["which is run in another folder", "payloads/roles/hr.json", "roles/hr.json"],
  ["above the script", "payloads/hr.json", "../payloads/hr.json"],
])("import takes a payload among the inputs with the request that sends it: %s", (_, path, written) => {
  const script = createSourceFile("scripts/a.sh", `curl -X PUT ${api}/roles/hr -d @${written}`);
  const { entries, left, notes } = takeFiles([createSourceFile(path, body), script], { cwd });
  expect({ names: entries.map(({ name }) => name), left }).toEqual({ names: ["hr"], left: [] });
  expect([...notes]).toContain(`Read as what a script sends: ${path}.`);
});

test("import does not choose between two inputs for a payload", () => {
  const script = createSourceFile("scripts/a.sh", `curl -X PUT ${api}/roles/hr -d @../hr.json`);
  const files = [script, createSourceFile("a/hr.json", body), createSourceFile("b/hr.json", body)];
  const { entries, left } = takeFiles(files, { cwd });
  expect({ entries, left: left.length }).toEqual({ entries: [], left: 3 });
});

test.each([
  ["a.sh", "curl $PROTO://$HOST:9200/a/b?c", "GET $PROTO://$HOST:9200/a/b"],
  ["a.sh", "curl $PROTO://u:p@$HOST/a/b", "GET //…/a/b"],
  ["a.http", "@scheme =\n\nGET {{scheme}}://{{host}}/a/b", "GET $scheme://$host/a/b"],
])("import shows an address without a scheme as the input has it: %s %s", (path, text, what) => {
  const { left } = takeFiles([createSourceFile(path, text)], { cwd });
  expect(left.map((part) => part.what)).toEqual([what]);
});

test.each([
  ["a.sh", `URL=\${OS:-https://u:p@Search.corp:9200/}\ncurl -X PUT $URL/_plugins/_security/api/roles/hr -d '{}'`],
  ["a.http", "@url = https://search.corp:9200\n\nPUT {{url}}/_plugins/_security/api/roles/hr\n\n{}"],
  [
    "plan.json",
    JSON.stringify({
      format_version: "1.0",
      planned_values: { root_module: { resources: [] } },
      variables: { url: { value: "https://search.corp:9200" } },
      configuration: {
        provider_config: {
          opensearch: { name: "opensearch", expressions: { url: { references: ["var.url"] } } },
          other: { name: "other", expressions: { url: { constant_value: "https://other.corp" } } },
        },
      },
    }),
  ],
])("import finds the URL of the server: %s", (path, text) => {
  expect([...takeFiles([createSourceFile(path, text)], { cwd }).urls]).toEqual(["https://search.corp:9200"]);
});

test.each(["$URL", "https://$HOST:9200", "https://h/prefix", "search.corp:9200"])(
  "import finds no URL in %s",
  (url) => {
    const text = `curl -X PUT ${url}/_plugins/_security/api/roles/hr -d '{}'`;
    expect([...takeFiles([createSourceFile("a.sh", text)], { cwd }).urls]).toEqual([]);
  },
);
