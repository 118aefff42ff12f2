import { expect } from "vitest";

/** For `shows`: whatever else there is. */
export function holding(entries: Readonly<Record<string, unknown>>) {
  return ({ json }: { readonly json: unknown }) => expect(json).toMatchObject(entries);
}

/** For `shows`: an entry that must not be among those shown. */
export function lacking(name: string) {
  return ({ json }: { readonly json: unknown }) => expect(Object.keys(json as object)).not.toContain(name);
}
