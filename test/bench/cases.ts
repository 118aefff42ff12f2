// What is measured, as data: each case is a command of the product beside the least that does a like thing.
import { type Change, changes, emptyServer, inSync } from "./changes.ts";
import { clean, type FixtureKind, fixtureKinds } from "./fixture-kinds.ts";

export interface Case {
  readonly name: string;
  readonly title: string;
  /** Which of `--world` and `--change` names it. */
  readonly table: "world" | "change";
  /** `node`: `node -e 0` · `files`: the floor without a server · `floor`: both sides. */
  readonly beside: "node" | "files" | "floor";
  readonly kind: FixtureKind;
  readonly change: Change;
  readonly args: (place: Place) => readonly string[];
  /** A command before each run that is not measured. */
  readonly before?: (place: Place) => readonly string[];
  /** The server holds the fixture again before each run, as the run changes it. */
  readonly writes?: true;
  /** A run takes minutes: there is one, and none of the largest size. */
  readonly slow?: true;
}

export interface Place {
  readonly url: string;
  /** `--product` and `--release`, where they are not the usual ones. */
  readonly product: readonly string[];
  /** The fixture's files. */
  readonly folder: string;
  /** Empty, and new for each run. */
  readonly scratch: string;
}

/** Nothing of what is measured is refused. */
const waived = ["order", "deletions", "changes", "wildcard", "escalation"].flatMap((guard) => ["--allow", guard]);
const plan = ({ url, product, folder }: Place) => ["plan", "--url", url, ...product, folder, ...waived];
const noAccess = (place: Place) => [...plan(place), "--no-access"];
const planOut = (place: Place) => [...plan(place), "--out", `${place.scratch}/plan.json`];

/** Products decide differently by the same files. */
const onSearchGuard = ["--product", "search-guard"];

const base = { table: "change", beside: "floor", kind: clean, change: inSync } as const;
const tenThousand = changes.find(({ name }) => name === "10000") ?? inSync;
const slow = new Set(["10000", "rename", "group", "backend-role"]);

export const cases: readonly Case[] = [
  ...fixtureKinds.map((kind): Case => ({ ...base, ...kind, table: "world", kind, args: plan })),
  ...changes.flatMap((change): Case[] => {
    const one = { ...base, change, ...(slow.has(change.name) && { slow: true as const }) };
    return [
      { ...one, name: change.name, title: change.title, args: plan },
      { ...base, change, name: `${change.name}-no-access`, title: `${change.title}, --no-access`, args: noAccess },
    ];
  }),
  {
    ...base,
    name: "first-apply",
    title: "first apply",
    change: emptyServer,
    args: (place) => ["apply", "--yes", ...plan(place).slice(1)],
    writes: true,
    slow: true,
  },
  { ...base, name: "plan-out", title: "plan --out of 10 000 changes", change: tenThousand, args: planOut, slow: true },
  {
    ...base,
    name: "apply-plan",
    title: "apply of that plan",
    change: tenThousand,
    before: planOut,
    args: ({ url, scratch }) => ["apply", "--yes", "--url", url, `${scratch}/plan.json`],
    writes: true,
    slow: true,
  },
  {
    ...base,
    name: "can-i",
    title: "access can-i",
    beside: "files",
    args: ({ folder }) => [
      "access",
      "can-i",
      "search",
      "hr-2026",
      "--user",
      "ana.berg1",
      ...onSearchGuard,
      "--state",
      folder,
    ],
  },
  {
    ...base,
    name: "who-can",
    title: "access who-can",
    beside: "files",
    args: ({ folder }) => ["access", "who-can", "search", "hr-2026", ...onSearchGuard, "--state", folder],
  },
  { ...base, name: "quickstart", title: "validate, quickstart", beside: "node", args: () => ["validate"] },
];
