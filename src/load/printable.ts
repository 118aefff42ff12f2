import { escapeAsJson, hasInvisible } from "../json/invisible.ts";

/** Notices go to a terminal as they are: a name must not bring lines or colours of its own. */
export function toPrintable(path: string): string {
  return hasInvisible(path) ? escapeAsJson(JSON.stringify(path)) : path;
}
