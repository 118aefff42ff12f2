// The naive judge on people, and on patterns.
import type { Person, World } from "./judged.ts";

/** Sorted; names that no role has are among them. */
export function rolesOf({ product, mappings, settings }: World, person: Person): readonly string[] {
  const any = (patterns: readonly string[] = [], texts: readonly string[]) =>
    patterns.some((pattern) => texts.some((text) => meets(pattern, text)));
  // On OpenSearch a star is met even by whoever has no backend role at all.
  const has = (p: string) => any([p], person.backendRoles) || (product === "opensearch" && p === "*");
  const isMapped = ([, mapping]: [string, World["mappings"][string]]) => {
    const all = mapping.and_backend_roles ?? [];
    const isSome = any(mapping.users, [person.user]) || (mapping.backend_roles ?? []).some(has);
    return isSome || any(mapping.hosts, person.host ? [person.host] : []) || (all.length > 0 && all.every(has));
  };
  const mode = settings?.roles_mapping_resolution ?? "MAPPING_ONLY";
  const mapped = mode === "BACKENDROLES_ONLY" ? [] : Object.entries(mappings).filter(isMapped);
  const backend = mode === "MAPPING_ONLY" ? [] : person.backendRoles;
  return [...new Set([...mapped.map(([name]) => name), ...backend, ...(person.roles ?? [])])].sort();
}

/** Each type of block by itself: who is kept out, or not let in. Masks are of IPv4, as `10.0.0.0/8`. */
export function isBlocked({ blocks = [] }: World, { user, host = "" }: Person): boolean {
  const hits = { ip: (text: string) => text === host, net_mask: within, name: (text: string) => meets(text, user) };
  function within(mask: string) {
    const [net = "", bits] = mask.split("/");
    const number = (ip: string) => ip.split(".").reduce((n, byte) => n * 256 + Number(byte), 0);
    return Math.floor(number(host) / 2 ** (32 - Number(bits))) === Math.floor(number(net) / 2 ** (32 - Number(bits)));
  }
  return (["ip", "net_mask", "name"] as const).some((type) => {
    const values = (word: string) => blocks.flatMap((b) => (b.type === type && b.verdict === word ? b.value : []));
    const [allowed, kept] = [values("allow"), values("disallow")];
    return kept.some(hits[type]) || (allowed.length > 0 && !allowed.some(hits[type]));
  });
}

export function patternsOf(world: World, person: Person, patterns: readonly string[]): readonly string[] {
  if (world.product === "opensearch") return patterns.map((pattern) => filled(world, person, pattern));
  // Search Guard 6 takes a pattern apart at its dots, and loses it.
  const read = patterns.filter((pattern) => world.product !== "search-guard-6" || !pattern.includes("."));
  // Each index, but no request over everything.
  return read.map((pattern) => (pattern === "_all" ? "/(?!_all$).*/" : filled(world, person, pattern)));
}

/** Variables with their values, as they are: a star among them is a star. What is not known stays. */
export function filled(world: World, person: Person, text: string): string {
  const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(",");
  return text.replace(/\$\{([^}]*)\}/g, (unresolved, name: string) => {
    if (name === "user.name" || name === "user_name") return person.user;
    if (name === "user.roles" || name === "user_roles") return list(person.backendRoles);
    if (name === "user.securityRoles" && world.product === "opensearch") return list(rolesOf(world, person));
    const [, attribute] = /^attr\.internal\.(.*)/.exec(name) ?? [];
    return attribute === undefined ? unresolved : (person.attributes?.[attribute] ?? unresolved);
  });
}

export function meets(pattern: string, text: string): boolean {
  const [, ignored, regex] = /^\/(\(\?i\))?(.*)\/$/.exec(pattern) ?? [];
  return regex === undefined ? isLike(pattern, text) : new RegExp(`^(?:${regex})$`, ignored ? "i" : "").test(text);
}

/** Stars and question marks alone. */
export function isLike(pattern: string, text: string): boolean {
  const plain = pattern
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${plain}$`, "s").test(text);
}
