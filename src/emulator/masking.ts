const algorithms = /^(md2|md5|sha|sha-?1|sha-(224|256|384|512)|sha-512\/(224|256)|sha3-(224|256|384|512))$/i;

/** What is wrong with a masking expression (`field`, `field::ALGORITHM`, `field::/regex/::text…`), or undefined. */
export function findMaskingProblem(expression: string): string | undefined {
  const parts = expression.split("::");
  const [, algorithm = ""] = parts;
  if (parts.length === 2) {
    if (algorithms.test(algorithm)) return undefined;
    return `java.security.NoSuchAlgorithmException: ${algorithm} MessageDigest not available`;
  }
  if (parts.length % 2 === 1) return undefined;
  return `Expected 1 or 2 or >=3 (but then odd count) tokens, got ${parts.length} for ${expression}`;
}
