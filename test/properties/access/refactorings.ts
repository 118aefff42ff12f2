// Ways to say the same access otherwise.

import type { Random } from "../../fixtures/index.ts";
import type { Element, Fixture, Role } from "../../support/evaluated.ts";
import { expanded } from "../../support/evaluator.ts";

type Refactoring = (fixture: Fixture, random: Random) => Fixture;

export const refactorings: Readonly<Record<string, Refactoring>> = {
  "a role renamed with its mapping": (fixture) => {
    const rename = <T>(all: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name === "r" ? "renamed" : name, value]));
    return { ...fixture, roles: rename(fixture.roles), mappings: rename(fixture.mappings) };
  },
  "a role split in two": (fixture) => {
    const { r: role, ...roles } = fixture.roles;
    const { r: mapping, ...mappings } = fixture.mappings;
    if (!role || !mapping) return fixture;
    const [first, ...rest] = role.index_permissions ?? [];
    const halves = {
      r: { ...(first && { index_permissions: [first] }), tenant_permissions: role.tenant_permissions ?? [] },
      half: { index_permissions: rest, cluster_permissions: role.cluster_permissions ?? [] },
    };
    return { ...fixture, roles: { ...roles, ...halves }, mappings: { ...mappings, r: mapping, half: mapping } };
  },
  "groups inlined": (fixture) => {
    const inlined = (texts: readonly string[] = []) =>
      expanded(fixture, texts).filter((text) => !Object.hasOwn(fixture.groups, text));
    return { ...withActions(fixture, inlined), groups: {} };
  },
  "lists put into groups": (fixture) => {
    const groups: Record<string, readonly string[]> = { ...fixture.groups };
    const grouped = (texts: readonly string[] = []) => {
      if (texts.length === 0) return texts;
      const name = `list-${Object.keys(groups).length}`;
      groups[name] = texts;
      return [name];
    };
    const refactored = withActions(fixture, grouped);
    return { ...refactored, groups };
  },
  "all in another order": (fixture, random) => reordered(fixture, random),
};

function withActions(fixture: Fixture, of: (texts?: readonly string[]) => readonly string[]): Fixture {
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
    ...fixture,
    roles: Object.fromEntries(Object.entries(fixture.roles).map(([name, role]) => [name, inRole(role)])),
  };
}

/** Lists and names, at any depth. */
function reordered<T>(value: T, random: Random): T {
  if (Array.isArray(value)) return random.shuffled(value.map((item) => reordered(item, random))) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, reordered(item, random)] as const);
  return Object.fromEntries(random.shuffled(entries)) as T;
}
