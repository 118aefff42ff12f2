// The naive evaluator on patterns: what they meet, and what they become for a user.
import type { Fixture, Person } from "./evaluated.ts";
import { rememberedByText } from "./remembered.ts";

export function patternsOf(fixture: Fixture, person: Person, patterns: readonly string[] = []): readonly string[] {
  if (fixture.product === "opensearch") return patterns.map((pattern) => filled(fixture, person, pattern));
  // Search Guard 6 takes a pattern apart at its dots, and loses it.
  const read = patterns.filter((pattern) => fixture.product !== "search-guard-6" || !pattern.includes("."));
  // Each index, but no request over everything.
  return read.map((pattern) => (pattern === "_all" ? "/(?!_all$).*/" : filled(fixture, person, pattern)));
}

/** Variables with their values, as they are: a star among them is a star. What is not known stays. `roles`: all that are held. */
export function filled(fixture: Fixture, person: Person, text: string): string {
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(",");
  return text.replace(/\$\{([^}]*)\}/g, (unresolved, name: string) => {
    if (name === "user.name" || name === "user_name") return person.user;
    if (name === "user.roles" || name === "user_roles") return list(person.backendRoles);
    if (name === "user.securityRoles" && fixture.product === "opensearch") return list(person.roles ?? []);
    const attributes = Object.entries(person.attributes ?? {}).map(([key, value]) => [`attr.internal.${key}`, value]);
    const [, value] = attributes.find(([key = ""]) => key === name || key.replaceAll(".", "_") === name) ?? [];
    return value ?? unresolved;
  });
}

export const matches = rememberedByText((pattern, text): boolean => {
  const [, ignored, regex] = /^\/(\(\?i\))?(.*)\/$/.exec(pattern) ?? [];
  return regex === undefined ? isLike(pattern, text) : new RegExp(`^(?:${regex})$`, ignored ? "i" : "").test(text);
});

/** Stars alone: of fields, FLS takes a question mark as it is. */
export const isStarred = rememberedByText((pattern, text): boolean =>
  isLike(pattern.replaceAll("?", "\u0000"), text.replaceAll("?", "\u0000")),
);

/** Stars and question marks alone. */
function isLike(pattern: string, text: string): boolean {
  const plain = pattern
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${plain}$`, "s").test(text);
}
