const batches = { 6: /[A-Za-z0-9]{6,16}/g, 12: /[A-Za-z0-9]{12}/g } as const;

/**
 * Whether a text says a secret back: as it is, escaped in some way (JSON, HTML, a URL), or only in part. Letters and
 * digits survive every escape, so any run of them tells, and of a long one any piece.
 *
 * @param shortest how many letters make a run
 */
export function repeatsText(text: string, secret: string, shortest: 6 | 12 = 6): boolean {
  if (secret === "") return false;
  return [secret, ...(secret.match(batches[shortest]) ?? [])].some((batch) => text.includes(batch));
}

/** The same of a text that may be escaped in any way, several times over, with the secret in any form. */
export function repeatsEscapedText(text: string, secret: string, shortest: 6 | 12 = 6): boolean {
  // Mostly one and the same: a license has hundreds of pieces, each to be looked for.
  const texts = [...new Set([text, unescapeAll(text)])];
  if ([...new Set(formsOf(secret))].some((form) => texts.some((candidate) => repeatsText(candidate, form, shortest))))
    return true;
  return packedForms(secret).some((form) => texts.some((candidate) => candidate.includes(form)));
}

/** Letters of base64 below which any text might hold them. */
const shortestPacked = 6;

/**
 * What base64 makes of the secret wherever in a text it begins, both alphabets: of the letters that the bytes around it
 * have a part in, none.
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

/** As it may stand in JSON, and with all escapes taken back, for it may look escaped itself; a form has + for blanks. */
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
 * Texts of which one is part of each of these forms, to be looked for first in what is long: letters and digits survive
 * each of them, but for base64, which has letters of its own.
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

/** The text with every escape of HTML, of a URL and of JSON taken back, also one around another (`&amp;quot;`), to a few levels. */
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
