// The goals, in one place: what each is called, its limit, and where in the results its figure is.
import { cases } from "./cases.ts";
import type { CaseResult } from "./compare.ts";

export interface Verdict {
  readonly figure: string;
  readonly limit: number;
  readonly measured: number;
  readonly isReached: boolean;
  /** The case that is furthest from the goal, where it is about several. */
  readonly worst?: string;
}

interface Goal {
  readonly figure: string;
  /** The most that meets it. */
  readonly limit: number;
  /** Names of cases; the goal is for each. */
  readonly of: readonly string[];
  readonly measure: (result: CaseResult, at: At) => number | undefined;
}

/** The same case at another size. */
type At = (size: number) => CaseResult | undefined;

/** Goals are about this size. */
export const goalSize = 10_000;

const ofKinds = cases.filter(({ table }) => table === "world");
const fixtureKinds = ofKinds.map(({ name }) => name);
const formats = ofKinds.filter(({ kind }) => kind.content === undefined).map(({ name }) => name);
const all = cases.map(({ name }) => name);
const ratio = (what: "wall" | "cpu" | "rss") => (result: CaseResult) => result.ratios[what];
const seconds = ({ product }: CaseResult) => product.cpu / 1000;
const rss = ({ product }: CaseResult) => product.rss;
const large = ["first-apply", "plan-out", "apply-plan"];
const nLogN = (3 * Math.log(30_000)) / Math.log(10_000);

export const goals: readonly Goal[] = [
  { figure: "in sync, clean: CPU / floor", limit: 1.8, of: ["clean"], measure: ratio("cpu") },
  { figure: "in sync, clean: wall / floor", limit: 1.5, of: ["clean"], measure: ratio("wall") },
  {
    figure: "in sync, any world: CPU / floor",
    limit: 2.2,
    of: fixtureKinds.filter((name) => name !== "json"),
    measure: ratio("cpu"),
  },
  { figure: "in sync, pretty .json: CPU / floor", limit: 4, of: ["json"], measure: ratio("cpu") },
  { figure: "in sync, any world: peak RSS / floor", limit: 1.5, of: fixtureKinds, measure: ratio("rss") },
  { figure: "in sync, clean in any format: peak RSS, MB", limit: 350, of: formats, measure: rss },
  { figure: "10 changes: CPU / floor", limit: 2.2, of: ["10"], measure: ratio("cpu") },
  { figure: "1 000 changes: CPU / floor", limit: 3.5, of: ["1000"], measure: ratio("cpu") },
  ...["rename", "group", "backend-role"].map((name) => ({
    figure: `${cases.find((one) => one.name === name)?.title}: s of CPU`,
    limit: 6,
    of: [name],
    measure: seconds,
  })),
  ...large.map((name) => ({
    figure: `${cases.find((one) => one.name === name)?.title}: s of CPU`,
    limit: 10,
    of: [name],
    measure: seconds,
  })),
  { figure: "first apply, plan --out, apply of it: peak RSS, MB", limit: 500, of: large, measure: rss },
  {
    figure: "saved plan / bodies of its requests",
    limit: 2,
    of: ["apply-plan"],
    measure: ({ planShare }) => planShare,
  },
  {
    figure: "growth from 10 000 to 30 000: times the CPU",
    limit: nLogN,
    of: all,
    measure: ({ product }, at) => {
      const larger = at(30_000);
      return larger && larger.product.cpu / product.cpu;
    },
  },
  { figure: "24 KB of patterns with several stars: s of CPU", limit: 5, of: ["stars"], measure: seconds },
  {
    figure: "validate, quickstart: ms beyond node -e 0",
    limit: 90,
    of: ["quickstart"],
    measure: ({ product, floor }) => product.wall - floor.wall,
  },
  { figure: "can-i: s of CPU", limit: 1.5, of: ["can-i"], measure: seconds },
  { figure: "who-can: s of CPU", limit: 2, of: ["who-can"], measure: seconds },
];

/** Only of what was measured. */
export function verdicts(results: readonly CaseResult[]): Verdict[] {
  return goals.flatMap(({ figure, limit, of, measure }) => {
    const found = of.flatMap((name) => {
      const at: At = (size) => results.find((result) => result.name === name && result.size === size);
      const result = at(goalSize) ?? at(0);
      const measured = result && measure(result, at);
      return result === undefined || measured === undefined ? [] : [{ measured, title: result.title }];
    });
    const worst = found.sort((a, b) => b.measured - a.measured)[0];
    if (worst === undefined) return [];
    const { measured, title } = worst;
    return [{ figure, limit, measured, isReached: measured <= limit, ...(of.length > 1 && { worst: title }) }];
  });
}
