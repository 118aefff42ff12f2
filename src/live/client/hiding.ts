import { isList, isObject, type Json } from "../../json/value.ts";
import type { Target } from "../../model/target.ts";
import { listAnchors, listWholeForms } from "../../secrets/repeats.ts";
import { createConfidential, isHideable } from "./confidential.ts";

/** What is written where a server repeats our login. */
const hidden = "(our login)";

/** Characters of the beginning by which a long form is recognised that was cut to the width of a line. */
const beginning = 16;

/** The text with each of the forms hidden. */
export function createFormHider(forms: readonly string[]): (text: string) => string {
  if (forms.length === 0) return (text) => text;
  const longest = [...forms].sort((a, b) => b.length - a.length);
  const cut = longest
    .filter(({ length }) => length > 2 * beginning)
    .map((form) => `${source(form.slice(0, beginning))}\\S*`);
  const pattern = new RegExp([...new Set([...longest.map(source), ...cut])].join("|"), "g");
  return (text) => text.replace(pattern, hidden);
}

/** Replaces the password, the token and the secret headers of a target in a text, in every form. */
export function createTargetLoginHider(target: Target): (text: string) => string {
  const secrets = partsOf(target);
  const anchors = secrets.flatMap(listAnchors);
  const hide = createFormHider(secrets.flatMap(listWholeForms));
  return (text) => (anchors.some((anchor) => text.includes(anchor)) ? hide(text) : text);
}

/**
 * Every text by which the password, token or secret headers of a target may show up in an answer: as it is, in base64,
 * in URLs. What a command prints only later is not among them.
 */
export function listLoginEncodings(target: Target): readonly string[] {
  return partsOf(target).flatMap(listWholeForms);
}

function partsOf(target: Target): readonly string[] {
  const { auth } = target;
  const identity = auth?.kind === "basic" || auth?.kind === "bearer" ? auth : ({ kind: "anonymous" } as const);
  const { secrets, headers } = createConfidential(target, identity);
  return [...secrets, ...headers].filter(isHideable);
}

/** The value with all texts and names so hidden. */
export function hideInValue(value: Json, hide: (text: string) => string): Json {
  const visit = (item: Json): Json => {
    if (typeof item === "string") return hide(item);
    if (isList(item)) return item.map(visit);
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [hide(name), visit(member as Json)]));
  };
  return visit(value);
}

/** A line may have been broken at any space. Within another word, a plain one is no repetition. */
function source(form: string): string {
  const isPlain = /^(?:[a-z_-]+|[A-Z_-]+)$/.test(form);
  return isPlain
    ? `(?<![\\w-])${form}(?![\\w-])`
    : form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replace(/ +/g, "\\s+");
}
