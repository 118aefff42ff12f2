// Which variables import makes of values that it does not know: two that may differ never become one.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { takeFiles } from "../../../src/imports/take.ts";
import { writeEntries } from "../../../src/imports/written.ts";
import { families } from "../../../src/model/names.ts";

interface Found {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
}

/** `NAME a.sh:1 internal_users/a` for each place where a variable is used. */
function findVariables(texts: Readonly<Record<string, string>>): Found {
  const files = Object.entries(texts).map(([path, text]) => createSourceFile(path, text));
  const findings = takeFiles(files, { cwd: "/nowhere" });
  expect(findings.diagnostics).toEqual([]);
  const { secrets, variables } = writeEntries(findings.entries, families, findings);
  const [shownSecrets, shownVariables] = [secrets, variables].map((all) =>
    all.flatMap(({ name, uses }) =>
      uses.map(({ address, place: { file, start } }) => {
        const line = file.text.slice(0, start).split("\n").length;
        return `${name} ${file.path}:${line} ${address}`;
      }),
    ),
  );
  return { secrets: shownSecrets ?? [], variables: shownVariables ?? [] };
}

const api = "h/_plugins/_security/api";

/** A script that gives each user, in the order of the alphabet, one of these passwords. */
const users = (...passwords: readonly string[]) =>
  passwords.map((password, at) => putUser("abcdefghij".charAt(at), password)).join("\n");
const putUser = (name: string, password: string) =>
  `curl -X PUT ${api}/internalusers/${name} -d "{\\"password\\": \\"${password}\\"}"`;
const putRole = (name: string, value: string) =>
  `curl -X PUT ${api}/roles/${name} -d "{\\"cluster_permissions\\": [\\"${value}\\"]}"`;

const secret = (name: string, user: string, line: number, path = "a.sh") =>
  `${name} ${path}:${line} internal_users/${user}`;
const generated = (user: string, line: number) =>
  secret(`SECRET_INTERNAL_USERS_${user.toUpperCase()}_PASSWORD`, user, line);

const scripts: Readonly<Record<string, { readonly text: string; readonly secrets: readonly string[] }>> = {
  "what commands print": {
    text: users("$(vault a)", "$(vault b)", "`cat /run/c`", "$(vault a)"),
    secrets: ["a", "b", "c", "d"].map((user, at) => generated(user, at + 1)),
  },
  "arguments of the script, one of them twice": {
    text: users("$1", "${2}", "$1"),
    secrets: [generated("a", 1), secret("SECRET_INTERNAL_USERS_A_PASSWORD", "c", 3), generated("b", 2)],
  },
  "a variable that the script does not set": {
    text: users("$PW", "${PW}", "${PW:?set it}"),
    secrets: ["a", "b", "c"].map((user, at) => secret("PW", user, at + 1)),
  },
  "names that differ in case": { text: users("$PW", "$pw"), secrets: [secret("PW", "a", 1), secret("PW_2", "b", 2)] },
  "defaults that differ": {
    text: users("${PW:-a}", "${PW:-b}", "$PW", "${PW:-a}"),
    secrets: [secret("PW", "a", 1), secret("PW", "d", 4), secret("PW_2", "b", 2), secret("PW_3", "c", 3)],
  },
  "parts of a variable": {
    text: users("$PW", "${PW%-*}", "${PW#a}", "${PW/a/b}"),
    secrets: ["PW", "PW_2", "PW_3", "PW_4"].map((name, at) => secret(name, "abcd".charAt(at), at + 1)),
  },
  "a variable that the script sets again": {
    text: `${putUser("a", "$PW")}\nPW=$(gen a)\n${putUser("b", "$PW")}\n${putUser("c", "$PW")}\nPW=$(gen b)\n${putUser("d", "$PW")}\nif x; then PW=x; fi\n${putUser("e", "$PW")}\nread -s PW\n${putUser("f", "$PW")}`,
    secrets: [
      secret("PW", "a", 1),
      secret("PW_2", "b", 3),
      secret("PW_2", "c", 4),
      secret("PW_3", "d", 6),
      secret("PW_4", "e", 8),
      secret("PW_5", "f", 10),
    ],
  },
  "a variable that a file may set": {
    text: `${putUser("a", "$PW")}\n. ./prod.env\n${putUser("b", "$PW")}\n${putUser("c", "$PW")}\nexport $(xargs < test.env)\n${putUser("d", "$PW")}`,
    secrets: [secret("PW", "a", 1), secret("PW_2", "b", 3), secret("PW_2", "c", 4), secret("PW_3", "d", 6)],
  },
  "the variable of a loop, after it": {
    text: `${putUser("a", "$PW")}\nfor PW in "$@"; do :; done\n${putUser("b", "$PW")}`,
    secrets: [secret("PW", "a", 1), secret("PW_2", "b", 3)],
  },
  "arguments of functions": {
    text: `f() { ${putUser("$1", "$2")}; }\nf a "$(gen)"\nf b "$(gen)"\nf c "$PW"\nf d "$PW"`,
    secrets: [generated("a", 1), generated("b", 1), secret("PW", "c", 1), secret("PW", "d", 1)],
  },
  "arguments that move": {
    text: `${putUser("a", "$2")}\nshift\n${putUser("b", "$1")}\n${putUser("c", "$2")}\nshift $X\n${putUser("d", "$1")}\nset -- x\n${putUser("e", "$1")}`,
    secrets: [
      generated("a", 1),
      secret("SECRET_INTERNAL_USERS_A_PASSWORD", "b", 3),
      generated("c", 4),
      generated("d", 6),
      generated("e", 8),
    ],
  },
  "a variable that differs each time": {
    text: `PW=$RANDOM\n${users("$PW", "$PW", "$RANDOM")}`,
    secrets: [secret("RANDOM", "a", 2), secret("RANDOM", "b", 3), secret("RANDOM_2", "c", 4)],
  },
};

describe("import keeps the unknown values of a script apart", () => {
  test.each(Object.entries(scripts))("%s", (_, { text, secrets }) => {
    expect(findVariables({ "a.sh": text }).secrets).toEqual(secrets);
  });

  test("where they are no secrets", () => {
    const text = [putRole("a", "$(hostname)-*"), putRole("b", "$(date)-*"), putRole("c", "$X $x $1")].join("\n");
    expect(findVariables({ "a.sh": text }).variables.map((line) => line.split(" ")[0])).toEqual([
      "command",
      "command_2",
      "X",
      "x",
      "argument_1",
    ]);
  });

  test("of two scripts: only what the environment has is the same", () => {
    const { secrets } = findVariables({
      "a.sh": `${putUser("a", "$PW")}\n${putUser("b", "$1")}`,
      "b.sh": `${putUser("c", "$PW")}\n${putUser("d", "$1")}`,
    });
    expect(secrets.map((line) => line.split(" ")[0])).toEqual([
      "PW",
      "PW",
      "SECRET_INTERNAL_USERS_B_PASSWORD",
      "SECRET_INTERNAL_USERS_D_PASSWORD",
    ]);
  });
});

const putHttp = (name: string, password: string) =>
  `PUT ${api}/internalusers/${name}\n\n{"password": "${password}"}\n\n###\n`;

test("import keeps the unknown values of an HTTP file apart", () => {
  const passwords = ["$dotenv PW1", "$dotenv PW2", "$dotenv PW1", "$processEnv PW1", "PW1", "$guid", "id", "id"];
  const text = passwords.map((one, at) => putHttp("abcdefgh".charAt(at), `{{${one}}}`)).join("");
  const { secrets } = findVariables({ "a.http": `@id = {{$guid}}\n${text}` });
  expect(secrets.map((line) => line.replace(/ .*\//, " "))).toEqual([
    "PW1 a",
    "PW1 c",
    "PW2 b",
    "PW1_2 d",
    "PW1_3 e",
    "GUID f",
    "GUID_2 g",
    "GUID_3 h",
  ]);
});

test("import calls what an HTTP client reads of its environment by its name", () => {
  const text = `PUT ${api}/rolesmapping/all_access\n\n{"users": ["{{$dotenv ADMIN_USER}}"], "hosts": ["{{$env.HOST}}"]}\n`;
  expect(findVariables({ "a.http": text }).variables).toEqual([
    "ADMIN_USER a.http:3 role_mappings/all_access",
    "HOST a.http:3 role_mappings/all_access",
  ]);
});

test("import asks for no secret of an entry of the server itself, which is never written", () => {
  const flags = ["reserved: true", "hidden: 'true'", "reserved: false", "description: reserved"];
  const lines = flags.map((flag, at) => `  ${"abcd".charAt(at)}: {hash: "{{ pw_${at} }}", ${flag}}`);
  const shared = ["reserved: true", "hidden: false"].map(
    (flag, at) => `  ${"ef".charAt(at)}: {hash: "{{ pw }}", ${flag}}`,
  );
  const { secrets } = findVariables({ "a.yml": `internal_users:\n${[...lines, ...shared].join("\n")}\n` });
  expect(secrets.map((line) => line.replace(/ .*\//, " "))).toEqual(["PW_2 c", "PW_3 d", "PW f"]);
});

test("import keeps the variables of templates apart", () => {
  const values = ["{{ svc.pw }}", "{{ svc_pw }}", "{{ SVC_PW }}", "{{ svc.pw }}", "{{ .Values.svc.pw }}"];
  const others = ["<%= svc_pw %>", "<%= @svc_pw %>", '<%= ENV["SVC_PW"] %>', "${env.SVC_PW}", "${envbc.SVC_PW}"];
  const lines = [...values, ...others].map((value, at) => `  ${"abcdefghij".charAt(at)}: {hash: '${value}'}`);
  const { secrets } = findVariables({ "a.yml": `internal_users:\n${lines.join("\n")}\n` });
  expect(secrets.map((line) => line.replace(/ .*\//, " "))).toEqual([
    "SVC_PW a",
    "SVC_PW d",
    ...["b", "c", "e", "f", "g", "h", "i", "j"].map((user, at) => `SVC_PW_${at + 2} ${user}`),
  ]);
});

test("a variable in the place of a list is one", () => {
  const text = `curl -X PUT ${api}/rolesmapping/a -d "{\\"users\\": $ONCALL, \\"hosts\\": [\\"$HOST\\"], \\"description\\": \\"$TEXT\\"}"
curl -X PUT ${api}/roles/a -d "{\\"index_permissions\\": [{\\"index_patterns\\": $PATTERNS}]}"`;
  const findings = takeFiles([createSourceFile("a.sh", text)], { cwd: "/nowhere" });
  const { variables } = writeEntries(findings.entries, families, findings);
  const lists = variables.flatMap(({ name, isList }) => (isList ? [name] : []));
  expect([variables.length, lists.sort()]).toEqual([4, ["ONCALL", "PATTERNS"]]);
});
