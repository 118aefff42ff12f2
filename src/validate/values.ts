import { isIP } from "node:net";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { isVendorsName, looksBuiltin } from "../dialects/builtin/names.ts";
import { serverFields } from "../dialects/codec.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNoun } from "../families/index.ts";
import { isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type Node } from "../model/node.ts";
import { getMode, isOptIn } from "../model/policy.ts";
import type { Repository, Section } from "../model/repository.ts";
import { findIncomplete } from "./completeness.ts";
import { checkConfig, type ValueOptions } from "./config-checks.ts";
import { findUnheld } from "./holds.ts";
import { findJoinedItems } from "./joined-items.ts";
import { findLostName } from "./lost-name.ts";
import { type CheckContext, checkRole, createCheckContext } from "./role-checks.ts";
import { checkBrokenVariable, checkSpacesAround, checkTexts } from "./text-checks.ts";
import { listTextsUnder, listWrittenTexts, type WrittenText } from "./written.ts";

/** What the schemas cannot say of what is declared: values, names, and what the product cannot hold. */
export function validateValues(
  repository: Repository,
  dialect: Dialect,
  options: ValueOptions = {},
): readonly Diagnostic[] {
  const sections = repository.documents.flatMap((document) => document.sections);
  const groups = sections.filter(({ family }) => family === "action_groups").flatMap(({ entries }) => entries);
  const context = createCheckContext(dialect, new Set(groups.map(({ key }) => key)));
  return sections.flatMap((section) => [
    ...unsupported(section, dialect, options),
    ...section.entries.flatMap((entry) => checkEntry(section.family, entry, context)),
  ]);
}

/** What no server of this product holds: resource types that it does not have, and all values of a block but one. */
export function findUnservable(repository: Repository, dialect: Dialect): readonly Diagnostic[] {
  const sections = repository.documents.flatMap((document) => document.sections);
  return sections.flatMap((section) => {
    const { family, entries } = section;
    if (family === "config") return [];
    const several =
      family === "blocks"
        ? entries.flatMap(({ value }) => severalValues(value, listTextsUnder(value, "value"), dialect))
        : [];
    return [...unsupported(section, dialect, {}), ...several];
  });
}

function unsupported(section: Section, dialect: Dialect, options: ValueOptions): readonly Diagnostic[] {
  const { family, range } = section;
  if (family === "config") return checkConfig(section, dialect, options);
  const known = family === "license" ? dialect.license : dialect.collections[family];
  if (known !== undefined) return [];
  // The product's whole folder has them in it.
  const isOnlyFound =
    isOptIn(family) && section.document.form === "native" && getMode(family, options.families) === "observe";
  const isRenamed = family === "whitelist" && dialect.collections.allowlist !== undefined;
  if (isOnlyFound && !isRenamed) return [];
  const instead = isRenamed ? `, but ${getNoun("allowlist", 2)}` : "";
  return [
    createDiagnostic(
      range,
      "unsupported-here",
      {
        what: `${dialect.product} ${dialect.release} has no ${getNoun(family, 2)}${instead}.`,
        why: isOnlyFound ? "What is declared of them is not used." : "The declaration cannot be applied there.",
        fix: isRenamed
          ? "Declare it as allowlist, which has the same fields, or correct the product and release."
          : "Keep the file out of the state of this target, or correct the product and release.",
      },
      isOnlyFound ? "warning" : "error",
    ),
  ];
}

function checkEntry(family: Section["family"], entry: MapEntry, context: CheckContext): readonly Diagnostic[] {
  if (!isResourceFamily(family)) return [];
  const { key, keyRange, value } = entry;
  // Never written, whatever is in it.
  if (isMarked(value)) return [];
  const name: WrittenText = { ...keyRange, value: key };
  return [
    ...badName(family, entry),
    ...findLostName({ family, name: key, origin: keyRange }, context.dialect),
    ...checkTexts([name], checkSpacesAround),
    ...findJoinedItems(value),
    ...findUnheld(family, entry, context.dialect),
    ...checkBody(family, value, context).filter(({ code }) => !(quietForVendors.has(code) && isVendors(family, entry))),
    // A null entry is warned of as such.
    ...(isNullNode(value)
      ? []
      : findIncomplete({ family, name: key, origin: keyRange, node: value }, context.dialect, false)),
  ];
}

/** Codes that are not reported for built-in entries of vendors' own files: users cannot change these. */
const quietForVendors: ReadonlySet<string> = new Set(["question-mark-pattern", "wildcard-principal"]);

function isVendors(family: ResourceFamily, { key }: MapEntry): boolean {
  // Of mappings only those that vendors map to everybody: all_access for everybody is a team's own doing.
  return family === "role_mappings" ? /^(sgs?_)?own_index$/i.test(key) : isVendorsName(key) || looksBuiltin(key);
}

function isMarked(body: Node): boolean {
  if (body.kind !== "map") return false;
  return body.entries.some(
    ({ key, value }) =>
      serverFields.has(key) && value.kind === "scalar" && (value.value === true || value.value === "true"),
  );
}

function badName(family: ResourceFamily, { key, keyRange }: MapEntry): readonly Diagnostic[] {
  if (key !== "" && key.trim() === "") return [blankName(family, keyRange)];
  const fault = key === "" ? "is empty" : /\p{Surrogate}/u.test(key) ? "is not valid Unicode" : undefined;
  if (fault === undefined) return [];
  return [
    createDiagnostic(keyRange, "bad-name", {
      what: `The name of this ${getNoun(family)} ${fault}.`,
      why: "A name is part of a request's path: the server could not know which is meant.",
      fix: "Give it a name.",
    }),
  ];
}

/** Servers take it, and one may hold it already. */
function blankName(family: ResourceFamily, range: MapEntry["keyRange"]): Diagnostic {
  return createDiagnostic(range, "spaces-around-name", {
    what: `The name of this ${getNoun(family)} is made of spaces.`,
    why: "The server takes it, and it has no effect.",
    fix: "Give it a name, unless the spaces are meant.",
  });
}

function checkBody(family: ResourceFamily, body: Node, context: CheckContext): readonly Diagnostic[] {
  switch (family) {
    case "roles":
      return checkRole(body, context);
    case "role_mappings":
      return checkMapping(body, context);
    case "action_groups": {
      const actions =
        body.kind === "list" ? listWrittenTexts(body) : listTextsUnder(body, "allowed_actions", "permissions");
      return checkTexts(actions, context.checks.group);
    }
    case "blocks":
      return checkBlock(body, context);
    default:
      return [];
  }
}

function checkMapping(body: Node, { checks }: CheckContext): readonly Diagnostic[] {
  const roles = listTextsUnder(body, "backend_roles", "backendroles", "and_backend_roles", "and_backendroles");
  return [
    ...checkTexts(listTextsUnder(body, "users"), checks.users),
    ...checkTexts(listTextsUnder(body, "hosts"), checks.members),
    ...checkTexts(roles, checks.members),
  ];
}

function checkBlock(body: Node, { dialect }: CheckContext): readonly Diagnostic[] {
  const values = listTextsUnder(body, "value");
  const [type] = listTextsUnder(body, "type");
  const [verdict] = listTextsUnder(body, "verdict");
  return [
    ...checkTexts(values, checkSpacesAround, checkBrokenVariable, (value, range) => {
      const fault = typeof type?.value === "string" ? findBlockValueFault(type.value, value) : undefined;
      if (fault === undefined) return [];
      return [
        createDiagnostic(range, "bad-block-value", {
          what: fault,
          why:
            verdict?.value === "allow"
              ? "The server accepts it, and it lets no one in; an allow block shuts out everybody it does not let in."
              : "The server accepts it, and it blocks no one.",
          fix:
            type?.value === "ip"
              ? "Write an address such as 10.1.2.3; for networks there is the type net_mask."
              : "Write a network such as 10.0.0.0/8.",
        }),
      ];
    }),
    ...severalValues(body, values, dialect),
  ];
}

function severalValues(body: Node, values: readonly WrittenText[], dialect: Dialect): readonly Diagnostic[] {
  const distinct = new Set(values.map(({ value }) => String(value)));
  if (dialect.blockValue === "list" || distinct.size < 2) return [];
  return [
    createDiagnostic(findMapEntry(body, "value")?.keyRange ?? body, "several-block-values", {
      what: `The block has ${distinct.size} values; ${dialect.product} ${dialect.release} takes one.`,
      why: "Only the first could be sent.",
      fix: "Write a block for each of them.",
    }),
  ];
}

/** What is wrong with the value of a block for its type; undefined where nothing is. User names may be anything. */
function findBlockValueFault(type: string, value: string): string | undefined {
  if (type === "ip") return isIP(value) === 0 ? `${JSON.stringify(value)} is no IP address.` : undefined;
  return type === "net_mask" ? networkFault(value) : undefined;
}

function networkFault(value: string): string | undefined {
  const [address = "", length, ...rest] = value.split("/");
  const version = isIP(address);
  const quoted = JSON.stringify(value);
  if (version === 0 || rest.length > 0) return `${quoted} is no network in CIDR notation.`;
  if (length === undefined) return `${quoted} is an address without the length of its network.`;
  const most = version === 4 ? 32 : 128;
  return /^\d{1,3}$/.test(length) && Number(length) <= most
    ? undefined
    : `The length of the network ${quoted} is not from 0 to ${most}.`;
}
