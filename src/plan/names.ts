/** Search engines take request lines of 4096 bytes; the rest is for the prefix and for proxies. */
const urlNameLimit = 2048;

/**
 * Whether a name arrives unharmed as a segment of a URL: proxies decode `%2F` and `%25` twice, and clients and proxies
 * take the segments `.` and `..` away. Such a name travels in the body of a bulk PATCH instead.
 */
export function canUrlCarry(name: string): boolean {
  if (name === "" || name === "." || name === ".." || isBroken(name)) return false;
  return !/[/%]/.test(name) && encodeURIComponent(name).length <= urlNameLimit;
}

/** Half of a surrogate pair is no character: it has no encoding in a URL. */
function isBroken(name: string): boolean {
  return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(name);
}
