// Access tests name roles and tenants by what they are called.
import { isObject, type Json, listTexts } from "../json/value.ts";

/** What an entry of the source is called in the other product. */
export type FindNewName = (family: "roles" | "tenants", name: string) => string;

/** An access test as it is written, about the same roles and tenants. */
export function convertTest(test: Json, findName: FindNewName): Json {
  if (!isObject(test)) return test;
  const { only, tenant } = test;
  const roles = isObject(only) && listTexts(only.roles).map((name) => findName("roles", name));
  return {
    ...test,
    ...(isObject(only) && roles && only.roles !== undefined && { only: { ...only, roles } }),
    ...(typeof tenant === "string" && { tenant: findName("tenants", tenant) }),
  };
}
