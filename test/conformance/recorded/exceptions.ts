import { readFileSync } from "node:fs";
import type { Recorded } from "./recording.ts";

/** Lines that are not answered as recorded, and why; every text is a regular expression that must fit. */
export interface Exception {
  readonly file: string;
  /** Numbers of lines, where a pattern would say more than is meant. */
  readonly lines?: readonly number[];
  readonly section?: string;
  readonly note?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly reason: string;
}

export function readExceptions(): readonly Exception[] {
  return JSON.parse(readFileSync(new URL("exceptions.json", import.meta.url), "utf8")) as readonly Exception[];
}

export function covers(exception: Exception, file: string, line: Recorded): boolean {
  const { lines, section, note, method, path, body } = exception;
  const fits = (pattern: string | undefined, text: string): boolean =>
    pattern === undefined || new RegExp(pattern, "s").test(text);
  return (
    fits(exception.file, file) &&
    (lines === undefined || lines.includes(line.line)) &&
    fits(section, line.section) &&
    fits(note, line.note) &&
    fits(method, line.method) &&
    fits(path, line.path) &&
    fits(body, line.body ?? "")
  );
}
