import { entryTexts } from "./entry-texts.ts";
import { fileTexts } from "./file-texts.ts";
import { lintTexts } from "./lint-texts.ts";

export type Severity = "error" | "warning";

/** What `gate-sync explain CODE` says of a code. The texts are the same every time, and name nothing that the user chose. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** When it has the other severity. */
  readonly otherwise?: string;
  /** What is wrong, without a full stop. */
  readonly title: string;
  readonly why: string;
  /** What to do, with something to type where there is any. */
  readonly fix: string;
}

/** Every code that a diagnostic may have. A test holds that each is raised somewhere. */
export const catalogue = {
  ...fileTexts,
  ...entryTexts,
  ...lintTexts,
  "bad-ignore": {
    severity: "warning",
    title: "A comment that is to silence a warning cannot",
    why: "Its code is unknown or belongs to an error, or it gives no reason: the warning is shown all the same.",
    fix: "Write the code of the warning and a reason: # gate-sync-ignore CODE REASON.",
  },
  "unused-ignore": {
    severity: "warning",
    title: "A comment silences nothing",
    why: "It would hide the warning if it came back.",
    fix: "Remove it, or put it at the end of the line that the warning points at.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type Code = keyof typeof catalogue;

export type LintCode = keyof typeof lintTexts;

/** The codes whose severity a repository may set, and which a comment may silence. */
export const lintCodes = Object.keys(lintTexts) as readonly LintCode[];

/** Those that are errors, too, and are as grave as is set even then. */
export const settableErrors: ReadonlySet<string> = new Set<LintCode>([
  "dls-not-json",
  "unknown-query",
  "builtin-named-group",
]);

/** By none of these anything may be hidden. */
export const neverSilent: ReadonlySet<string> = new Set<LintCode>(["dls-not-json"]);
