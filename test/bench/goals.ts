// The goals, in one place: what each is called, its limit, and where in the results its figure is.
import type { CaseResult } from "./compare.ts";
import type { Footprint } from "./footprint.ts";

export interface Figures {
  readonly cases: ReadonlyMap<string, CaseResult>;
  readonly footprint: Footprint | undefined;
}

export interface Verdict {
  readonly figure: string;
  readonly limit: number;
  readonly measured: number;
  readonly matched: boolean;
}

interface Goal {
  readonly figure: string;
  /** The most that meets it. */
  readonly limit: number;
  /** Undefined where its case did not run. */
  readonly of: (figures: Figures) => number | undefined;
}

const of =
  (name: string, figure: (result: CaseResult) => number | undefined) =>
  ({ cases }: Figures) => {
    const result = cases.get(name);
    return result && figure(result);
  };
const ratio = (name: string, what: "wall" | "cpu" | "rss") => of(name, ({ ratios }) => ratios[what]);
const sent = (result: CaseResult, method: string) =>
  Object.entries(result.requests).reduce((sum, [key, count]) => sum + (key.startsWith(`${method} `) ? count : 0), 0);
/** GETs beyond one for each family declared. */
const small = (name: string) => of(name, (result) => sent(result, "GET") - result.families);

export const goals: readonly Goal[] = [
  { figure: "first apply: writes per family", limit: 1, of: of("first-apply", (all) => all.writes / all.families) },
  { figure: "first apply: body of the roles / their JSON", limit: 1.1, of: of("first-apply", (all) => all.bodyShare) },
  { figure: "10 changes in two families: writes", limit: 2, of: of("apply-ten", (all) => all.writes) },
  { figure: "plan: GETs beyond one per family", limit: 3, of: small("in-sync") },
  { figure: "plan, 10 changes: GETs beyond one per family", limit: 3, of: small("ten") },
  { figure: "plan in sync: wall / floor", limit: 1.5, of: ratio("in-sync", "wall") },
  { figure: "plan in sync: CPU / floor", limit: 1.5, of: ratio("in-sync", "cpu") },
  { figure: "plan in sync: peak RSS / floor", limit: 2, of: ratio("in-sync", "rss") },
  { figure: "plan, 10 changes: wall / floor", limit: 2.5, of: ratio("ten", "wall") },
  { figure: "plan, 10 changes: CPU / floor", limit: 2.5, of: ratio("ten", "cpu") },
  { figure: "plan, 10, --no-access: wall / floor", limit: 1.6, of: ratio("ten-no-access", "wall") },
  { figure: "plan, 10, --no-access: CPU / floor", limit: 1.6, of: ratio("ten-no-access", "cpu") },
  {
    figure: "ten times the size: times the wall",
    limit: 11,
    of: ({ cases }) => {
      const [small, large] = [cases.get("in-sync"), cases.get("growth")];
      return small && large && large.product.wall / small.product.wall;
    },
  },
  { figure: "ten times the size: peak RSS, MiB", limit: 1.5e9 / 2 ** 20, of: of("growth", (all) => all.product.rss) },
  { figure: "--version: wall / node -e 0", limit: 1.6, of: ratio("version", "wall") },
  // What our own files take does not grow with what Node takes to start.
  {
    figure: "validate, quickstart: ms beyond node -e 0",
    limit: 90,
    of: of("quickstart", ({ product, floor }) => product.wall - floor.wall),
  },
  { figure: "npm install: packages", limit: 14, of: ({ footprint }) => footprint?.packages },
  { figure: "npm install: MB unpacked", limit: 8, of: ({ footprint }) => footprint && footprint.bytes / 1e6 },
  { figure: "npm install: install scripts", limit: 0, of: ({ footprint }) => footprint?.scripts },
];

/** Only of what was measured. */
export function verdicts(figures: Figures): Verdict[] {
  return goals.flatMap(({ figure, limit, of }) => {
    const measured = of(figures);
    return measured === undefined ? [] : [{ figure, limit, measured, matched: measured <= limit }];
  });
}
