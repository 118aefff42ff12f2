import type { ReadPort } from "../model/ports.ts";
import { getObjectFields } from "./detect/routes.ts";

/** The expression that passwords have to match; undefined where the server shows none. */
export async function readPasswordExpression(reader: ReadPort, path: string): Promise<string | undefined> {
  const { status, body } = await reader.get(path);
  const { password_validation_regex: expression } = getObjectFields(body);
  return status === 200 && typeof expression === "string" ? expression : undefined;
}
