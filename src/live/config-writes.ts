import type { Dialect } from "../dialects/dialect.ts";
import type { ReadPort } from "../model/ports.ts";

/**
 * Whether the server lets its config be changed, where reading shows it: an existing route refuses the method GET
 * (405), a missing one does not (400). Undefined where only trying would show it.
 */
export async function isConfigWritable(reader: ReadPort, { prefix, config }: Dialect): Promise<boolean | undefined> {
  if (!config.putRouteReports) return undefined;
  const { status } = await reader.get(`${prefix}/${config.putPath}`);
  return status === 405 ? true : status === 400 ? false : undefined;
}
