// Ways to say the same access otherwise.
import { expanded } from "../../support/judge.ts";
import type { Element, Role, World } from "../../support/judged.ts";
import type { Random } from "../../world/index.ts";

type Refactoring = (world: World, random: Random) => World;

export const refactorings: Readonly<Record<string, Refactoring>> = {
  "a role renamed with its mapping": (world) => {
    const rename = <T>(all: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name === "r" ? "renamed" : name, value]));
    return { ...world, roles: rename(world.roles), mappings: rename(world.mappings) };
  },
  "a role split in two": (world) => {
    const { r: role, ...roles } = world.roles;
    const { r: mapping, ...mappings } = world.mappings;
    if (!role || !mapping) return world;
    const [first, ...rest] = role.index_permissions ?? [];
    const halves = {
      r: { ...(first && { index_permissions: [first] }), tenant_permissions: role.tenant_permissions ?? [] },
      half: { index_permissions: rest, cluster_permissions: role.cluster_permissions ?? [] },
    };
    return { ...world, roles: { ...roles, ...halves }, mappings: { ...mappings, r: mapping, half: mapping } };
  },
  "groups inlined": (world) => {
    const inlined = (texts: readonly string[] = []) =>
      expanded(world, texts).filter((text) => !Object.hasOwn(world.groups, text));
    return { ...withActions(world, inlined), groups: {} };
  },
  "lists put into groups": (world) => {
    const groups: Record<string, readonly string[]> = { ...world.groups };
    const grouped = (texts: readonly string[] = []) => {
      if (texts.length === 0) return texts;
      const name = `list-${Object.keys(groups).length}`;
      groups[name] = texts;
      return [name];
    };
    const refactored = withActions(world, grouped);
    return { ...refactored, groups };
  },
  "all in another order": (world, random) => reordered(world, random),
};

function withActions(world: World, of: (texts?: readonly string[]) => readonly string[]): World {
  const inElement = (element: Element) => ({ ...element, allowed_actions: of(element.allowed_actions) });
  const inRole = ({ cluster_permissions, index_permissions = [], tenant_permissions = [] }: Role): Role => ({
    cluster_permissions: of(cluster_permissions),
    index_permissions: index_permissions.map(inElement),
    tenant_permissions: tenant_permissions.map((element) => ({
      ...element,
      allowed_actions: of(element.allowed_actions),
    })),
  });
  return {
    ...world,
    roles: Object.fromEntries(Object.entries(world.roles).map(([name, role]) => [name, inRole(role)])),
  };
}

/** Lists and names, at any depth. */
function reordered<T>(value: T, random: Random): T {
  if (Array.isArray(value)) return random.shuffled(value.map((item) => reordered(item, random))) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, reordered(item, random)] as const);
  return Object.fromEntries(random.shuffled(entries)) as T;
}
