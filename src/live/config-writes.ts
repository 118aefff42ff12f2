import type { Dialect } from "../dialects/dialect.ts";
import type { ReadPort } from "../model/ports.ts";

/**
 * Whether the server lets its config be changed, where it can be found out by reading: a route that exists refuses the
 * method GET (405), one that does not is not there at all (400). Undefined where only trying would tell.
 */
export async function isConfigWritable(reader: ReadPort, { prefix, config }: Dialect): Promise<boolean | undefined> {
  if (!config.putRouteReports) return undefined;
  const { status } = await reader.get(`${prefix}/${config.putPath}`);
  return status === 405 ? true : status === 400 ? false : undefined;
}
