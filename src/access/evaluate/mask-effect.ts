/** What a mask leaves of a value: nothing to be read, all of it, or what its expressions leave. */
export type MaskEffect = "masked" | "shown" | "unknown";

/** @param mask `field`, `field::algorithm` or `field::/regex/::replacement`, more pairs after it */
export function findMaskEffect(mask: string): MaskEffect {
  const [, ...parts] = mask.split("::");
  // A digest.
  if (parts.length < 2) return "masked";
  const steps = parts.flatMap((regex, at) => (at % 2 === 0 ? [{ regex, replacement: parts[at + 1] ?? "" }] : []));
  if (steps.some(({ regex, replacement }) => matchesAll.has(regex) && !/[$\\]/.test(replacement))) return "masked";
  return steps.every(givesBack) ? "shown" : "unknown";
}

/** Values with line breaks, too: `^.*$` finds nothing in these. */
const matchesAll: ReadonlySet<string> = new Set(
  [".", ".*", ".+", "(.*)", "(.+)", "(?s).*", "(?s).+", "(?s)^.*$", "(?s)^.+$"].map((regex) => `/${regex}/`),
);

function givesBack({ regex, replacement }: { readonly regex: string; readonly replacement: string }): boolean {
  if (replacement === "$0") return true;
  if (regex === `/${replacement}/`) return /^[^\\^$.|?*+()[\]{}]+$/.test(replacement);
  if (!groupsAlone.test(regex)) return false;
  const groups = [...regex.matchAll(/\\.|\((?:\?<(\w+)>)?/g)].filter(([text]) => text.startsWith("("));
  const wanted = groups.map(([, name], at) => [`$${at + 1}`, `\${${name}}`]);
  const given = replacement.match(/\$(?:\d|\{\w+\})/g) ?? [];
  return (
    given.join("") === replacement &&
    given.length === wanted.length &&
    wanted.every((names, at) => names.includes(given[at] ?? ""))
  );
}

/** Groups that together are all of the expression, one after the other. */
const groupsAlone = /^\/\^?(?:\((?:\?<\w+>|(?!\?))(?:\\[^Q]|\[(?:\\[^Q]|[^()[\]\\])*\]|[^()[\]\\])*\))+\$?\/$/;
