import { isIP } from "node:net";
import { isNetwork } from "../../access/patterns/network.ts";
import { suggestNearest } from "../../diagnostics/suggest.ts";
import type { LintName, LintRule } from "../rule.ts";

export const cidrInHosts: LintRule = {
  code: "cidr-in-hosts",
  find: ({ mappings }) =>
    mappings.flatMap(({ hosts }) =>
      hosts
        .filter(({ value }) => isNetwork(value))
        .map((host) => ({
          at: host,
          what: `${JSON.stringify(host.value)} is a network, and hosts are patterns of texts.`,
          why: "It is compared with the address as text, matches none, and so has no effect.",
          fix: `Write a pattern of the addresses, such as ${JSON.stringify(patternFor(host.value))}.`,
        })),
    ),
};

export const starBackendRole: LintRule = {
  code: "star-backend-role",
  where: ({ starMatchesNoBackendRole }) => starMatchesNoBackendRole,
  find: ({ mappings }) =>
    mappings.flatMap(({ backendRoles }) =>
      backendRoles
        .filter(({ value }) => value === "*")
        .map((role) => ({
          at: role,
          what: "The backend role * is everybody who can log in.",
          why: "On OpenSearch it matches principals without a backend role, too.",
          fix: "Name the backend roles, unless everybody is meant.",
        })),
    ),
};

export const unquotedDn: LintRule = {
  code: "unquoted-dn",
  find: ({ names }) =>
    joinNeighbours(names.filter(isBareAssignment)).map((items) => {
      const whole = items.map(({ value }) => value).join(",");
      return {
        at: { file: items[0].at.file, start: items[0].at.start, end: items.at(-1)?.at.end ?? items[0].at.end },
        what: `In brackets a comma ends an item: ${whole} is ${items.length} ${items[0].kind}s here.`,
        why: "The server compares each of them by itself, and none of them is the distinguished name.",
        fix: `Put each distinguished name in quotes: [${JSON.stringify(whole)}].`,
      };
    }),
};

/** `attribute=value` without quotes, in which commas would be a part of it. */
function isBareAssignment({ kind, value, at }: LintName): boolean {
  if (!value.includes("=")) return false;
  return distinguished.has(kind) && startsLikeDn(value) && !/["']/.test(at.file.text[at.start] ?? "");
}

const distinguished: ReadonlySet<LintName["kind"]> = new Set(["user", "backend role", "host", "node"]);

function startsLikeDn(value: string): boolean {
  return /^\s*[a-z\d][\w.-]*\s*=/i.test(value);
}

/** Two and more of one list in brackets, with nothing but commas between them. */
function joinNeighbours(names: readonly LintName[]): readonly Neighbours[] {
  const found: [LintName, ...LintName[]][] = [];
  for (const name of names) {
    const last = found.at(-1);
    const { file, end } = last?.at(-1)?.at ?? {};
    const between = file === name.at.file ? file.text.slice(end, name.at.start) : "";
    if (last && /^\s*,\s*$/.test(between)) last.push(name);
    else found.push([name]);
  }
  return found.filter(({ length }) => length > 1);
}

type Neighbours = readonly [LintName, ...LintName[]];

export const joinedItems: LintRule = {
  code: "joined-items",
  find: ({ names }) =>
    names.filter(isJoined).map(({ kind, value, at }) => {
      const items = value.split(",").map((item) => item.trim());
      return {
        at,
        what: `${JSON.stringify(value)} is one ${kind}, with a comma in its name.`,
        why: "The server compares it as one text: who has one of its parts is not matched.",
        fix: `Write each as an item of its own: ${JSON.stringify(items)}; silence this where the comma is a part of the name.`,
      };
    }),
};

function isJoined({ kind, value }: LintName): boolean {
  if (!value.includes(",") || (kind !== "backend role" && kind !== "host")) return false;
  return /,\s/.test(value) && !startsLikeDn(value) && !value.startsWith("/");
}

export const unknownUser: LintRule = {
  code: "unknown-user",
  goesBy: "server",
  find: ({ mappings, known: { users: known } }) =>
    known === undefined
      ? []
      : mappings.flatMap(({ users }) =>
          users
            .filter(({ value }) => isPlainName(value) && !known.has(value))
            .map((user) => ({
              at: user,
              what: `No internal user is called ${JSON.stringify(user.value)}.${suggestNearest(user.value, known)}`,
              why: "Every login looks among the internal users, which the files manage: nobody has this name.",
              fix: "Correct the name, or declare the user.",
            })),
        ),
};

/** No pattern, and no name of a certificate. */
function isPlainName(value: string): boolean {
  return !/[*?]|^\/|\$\{/.test(value) && !startsLikeDn(value);
}

/** A pattern of the parts that all addresses of a network share; it may match more addresses. */
function patternFor(network: string): string {
  const [address = "", bits = ""] = network.split("/");
  if (isIP(address) !== 4)
    return `${address
      .split(":")
      .slice(0, Math.max(1, Math.floor(Number(bits) / 16)))
      .join(":")}:*`;
  if (Number(bits) >= 32) return address;
  return [...address.split(".").slice(0, Math.floor(Number(bits) / 8)), "*"].join(".");
}
