/** What a mask leaves of a value: nothing to be read, all of it, or what its expressions do not match. */
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

const matchesAll: ReadonlySet<string> = new Set(
  [".", ".*", ".+", "^.*$", "^.+$", "(.*)", "(.+)"].map((regex) => `/${regex}/`),
);

function givesBack({ regex, replacement }: { readonly regex: string; readonly replacement: string }): boolean {
  if (replacement === "$0") return true;
  // One group that is all of the expression.
  return replacement === "$1" && /^\/\^?\((?!\?)[^()|\\]*\)\$?\/$/.test(regex);
}
