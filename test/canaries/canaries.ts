// Secrets that differ by where they live, and every form in which one could come out.

/** Every place that holds a secret; each has one of its own. */
const places = [
  "password",
  "password-file",
  "token",
  "header",
  "literal-header",
  "printed",
  "passphrase",
  "key-file",
  "proxy",
  "url",
  "plan-key",
  "bind",
  "keystore",
  "description",
  "literal",
  "hash",
  "live-bind",
  "live-keystore",
  "live-key",
  "live-gone",
  "live-description",
] as const;

export type Place = (typeof places)[number];

/**
 * `long`: a run of characters that survives every escape. `short`: only the whole gives it away; most of it is written
 * otherwise in JSON, in HTML and in URLs.
 */
export type Kind = "long" | "short";

export type Canaries = Readonly<Record<Place, string>>;

export function canariesOf(kind: Kind): Canaries {
  const entries = places.map((place, index) => [place, kind === "long" ? long(place) : short(index)]);
  return Object.fromEntries(entries) as Canaries;
}

function long(place: Place): string {
  return `${coreOf(place)} "in"+a/b%c&d\\e<é>`;
}

function coreOf(place: Place): string {
  return `Kanari${place.replaceAll("-", "")}Vogel`;
}

function short(index: number): string {
  const [one, two] = ["bcdfghjklmnpqrstvwxyz"[index], "ZYXWVTSRQPNMLKJHGFDCB"[index]];
  return `${one}8"${two}+/%3\\é&${two}<${one}`;
}

/** A finder of canaries and of other secret texts, in all of their forms: the places whose secrets a text gives away. */
export function finderOf(kind: Kind, others: Readonly<Record<string, string>> = {}): (text: string) => string[] {
  const sought = Object.entries({ ...canariesOf(kind), ...others }).flatMap(([place, value]) => {
    const core = kind === "long" && (places as readonly string[]).includes(place) ? [coreOf(place as Place)] : [];
    return [...new Set([...core, ...formsOf(value)])].map((form) => ({ place, form }));
  });
  return (text) => [...new Set(sought.filter(({ form }) => text.includes(form)).map(({ place }) => place))];
}

/** As it is, in JSON, in JSON in JSON, in JSON of ASCII, in HTML, in URLs, in base64 wherever it may begin. */
export function formsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inAscii = inJson.replace(
    /[^ -~]/g,
    (userMessage) => `\\u${userMessage.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const inHtml = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const inUrl = encodeURIComponent(value);
  const base64 = [0, 1, 2].map((at) => base64At(value, at));
  return [
    value,
    inJson,
    inAscii,
    JSON.stringify(inJson).slice(1, -1),
    inHtml,
    inHtml.replaceAll('"', "&quot;"),
    inUrl,
    inUrl.replaceAll("%20", "+"),
    encodeURI(value),
    ...base64,
    ...base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
    ...base64.map(encodeURIComponent),
  ];
}

/** What does not depend on the bytes before and after, of which there are that many before. */
function base64At(value: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value, "utf8")]);
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 3))).toString("base64");
  return whole.slice(before === 0 ? 0 : 4);
}
