const batches = { 6: /[A-Za-z0-9]{6,16}/g, 12: /[A-Za-z0-9]{12}/g } as const;

/**
 * Whether a text repeats a secret: unchanged, escaped in some way (JSON, HTML, a URL), or in part. Letters and digits
 * survive every escape, so any run of them counts, and of a long run any part.
 *
 * @param shortest how many characters make a run
 */
export function repeatsText(text: string, secret: string, shortest: 6 | 12 = 6): boolean {
  if (secret === "") return false;
  return [secret, ...(secret.match(batches[shortest]) ?? [])].some((batch) => text.includes(batch));
}

/** Whether a text repeats a secret in any form, escaped in any way and several times over. */
export function repeatsEscapedText(text: string, secret: string, shortest: 6 | 12 = 6): boolean {
  // Mostly they are equal: a license has hundreds of parts, each to be searched for.
  const texts = [...new Set([text, unescapeAll(text)])];
  if ([...new Set(formsOf(secret))].some((form) => texts.some((candidate) => repeatsText(candidate, form, shortest))))
    return true;
  return packedForms(secret).some((form) => texts.some((candidate) => candidate.includes(form)));
}

/** Characters of base64; shorter runs occur in any text. */
const shortestPacked = 6;

/**
 * How base64 encodes the secret at each offset, in both alphabets, without the characters that the bytes around it
 * influence.
 */
function packedForms(secret: string): readonly string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.from("\0".repeat(before) + secret, "utf8");
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    return before === 0 ? whole : whole.slice(4);
  });
  const long = forms.filter((form) => form.length >= shortestPacked);
  return [...long, ...long.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

/** A secret as it is, as JSON has it, and without escapes, as it may look escaped itself; web forms have + for spaces. */
function formsOf(password: string): readonly string[] {
  const plain = unescapeAll(password);
  return [password, JSON.stringify(password).slice(1, -1), plain, plain.replaceAll(" ", "+")];
}

/**
 * Every form in which the whole of a secret may be in a text: as it is, as JSON (also within a text that is JSON, and in
 * ASCII), as HTML, in a URL, in base64. The longest first, so that none is left over in part.
 */
export function listWholeForms(secret: string): readonly string[] {
  const json = (text: string) => JSON.stringify(text).slice(1, -1);
  const ascii = (text: string) =>
    text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const html = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quotes = (text: string) => html(text).replaceAll('"', "&quot;");
  const inJson = [secret, json(secret), json(json(secret)), json(json(json(secret)))];
  const packed = packedForms(secret);
  const forms = [
    ...inJson,
    ...inJson.map(ascii),
    ...inJson.map((text) => text.replaceAll("/", "\\/")),
    ...inJson.flatMap((text) => [html(text), quotes(text), quotes(text).replaceAll("'", "&apos;")]),
    ...inJson.map(encodeURIComponent),
    encodeURIComponent(secret).replaceAll("%20", "+"),
    encodeURI(secret),
    ...packed,
    ...packed.map(encodeURIComponent),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/**
 * Strings of which each of these forms contains one, to search for first in a long text: letters and digits survive
 * every escape except base64, which has characters of its own.
 */
export function listAnchors(secret: string): readonly string[] {
  return [secret, ...packedForms(secret)].map((form) => {
    const runs = form.match(/[A-Za-z0-9]{3,}/g) ?? [""];
    return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
  });
}

/** A short word is in any text anyway, and hiding it would hide what is meant. */
export function isReporting(secret: string): boolean {
  return secret.length >= (/^[a-z_-]*$/i.test(secret) ? 12 : 6);
}

const entities = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

/**
 * The text with every escape of HTML, of a URL and of JSON removed, also nested ones (`&amp;quot;`), to a few levels.
 */
export function unescapeAll(text: string, levels = 4): string {
  const once = text
    .replaceAll(/&(amp|lt|gt|quot|apos);/gi, (whole, name: string) => entities.get(name.toLowerCase()) ?? whole)
    .replaceAll(/&#x([0-9a-f]{1,5});?|&#(\d{1,6});?|\\u([0-9a-f]{4})/gi, (_whole, hex, decimal, unit) =>
      String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? unit, 16) : Number(decimal)),
    )
    .replaceAll(/\\(["\\/])/g, "$1")
    .replaceAll(/(%[0-9a-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll("%", ""), "hex").toString("utf8"));
  return once === text || levels === 1 ? once : unescapeAll(once, levels - 1);
}
