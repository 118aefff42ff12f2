import { createRequire } from "node:module";
import type picomatch from "picomatch";

const require = createRequire(import.meta.url);

/** A state path with wildcards, such as `teams/*` with `/access` after it. */
export interface StatePattern {
  /** The folder above the first wildcard; "." for the current one. */
  readonly base: string;
  /** Whether a file is meant: its path, or that of a folder above it, matches. Relative to the base. */
  readonly matches: (path: string) => boolean;
}

const wildcard = /[*?]|\{[^{}/]*,[^{}/]*\}/;

/** Undefined for a path without wildcards: `*`, `**`, `?`, `{a,b}`. All else is a part of a name. */
export function parseStatePattern(path: string): StatePattern | undefined {
  const parts = path.split("/");
  const first = parts.findIndex((part) => wildcard.test(part));
  if (first === -1) return undefined;
  const below = parts.slice(first).filter((part) => part !== "");
  // Loaded here: hardly any path has wildcards.
  const compile: typeof picomatch = require("picomatch");
  const isMatch = compile(below.join("/").replace(/[[\]()!+@|\\]/g, "\\$&"));
  const base = parts.slice(0, first).join("/");
  return {
    base: base === "" ? (path.startsWith("/") ? "/" : ".") : base,
    matches: (file) => listPathsTo(file).some((one) => isMatch(one)),
  };
}

/** The folder above the first wildcard, or the path itself. */
export function getPatternBase(path: string): string {
  return parseStatePattern(path)?.base ?? path;
}

/** `a`, `a/b`, `a/b/c.yml`. */
function listPathsTo(file: string): readonly string[] {
  const parts = file.split("/");
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
