/** The digests that every Java runtime has; the names ignore case. */
const digests = /^(MD2|MD4|MD5|SHA-?1|SHA|SHA-(224|256|384|512|512\/224|512\/256)|SHA3-(224|256|384|512))$/i;
/** Digest algorithms of the cryptography library that servers bring along. */
const furtherDigests =
  /^(BLAKE2[BS]-\d{3}|BLAKE3-256|DSTU7564-\d{3}|GOST3411(-2012-\d{3})?|HARAKA-\d{3}|KECCAK-\d{3}|RIPEMD(128|160|256|320)|SKEIN-\d{3,4}-\d{3,4}|SM3|TIGER|WHIRLPOOL)$/i;

/**
 * What is wrong with a masking expression: `field`, `field::ALGORITHM`, or `field::/regex/::replacement` with any
 * number of such pairs. Undefined where nothing is. The regular expressions are Java's and not looked into.
 */
export function findMaskedFieldFault(expression: string): string | undefined {
  const [field, ...rest] = expression.split("::");
  if (!field) return "It names no field.";
  if (rest.length === 0) return undefined;
  if (rest.length === 1) {
    const [algorithm = ""] = rest;
    if (algorithm === "") return "Nothing follows the `::`.";
    if (isRegex(algorithm)) return "A regular expression needs a replacement after another `::`.";
    return digests.test(algorithm) || furtherDigests.test(algorithm)
      ? undefined
      : `There is no digest ${JSON.stringify(algorithm)}.`;
  }
  if (rest.length % 2 === 1) return "Regular expressions and replacements do not come in pairs.";
  const regex = rest.find((part, index) => index % 2 === 0 && !isRegex(part));
  return regex === undefined ? undefined : `${JSON.stringify(regex)} is not between slashes.`;
}

function isRegex(text: string): boolean {
  return text.length > 2 && text.startsWith("/") && text.endsWith("/");
}
