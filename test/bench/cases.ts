// What is measured, as data: each case is a command of the product beside the least that does a like thing.
import type { Families } from "./fixture.ts";

export interface Case {
  readonly name: string;
  readonly title: string;
  /** `node`: `node -e 0` · `files`: the floor without a server · `live`: the floor without files · `floor`: both sides. */
  readonly beside: "node" | "files" | "live" | "floor";
  /** The fixture; without one, the case needs neither files nor server. */
  readonly fixture?: {
    readonly families: Families;
    /** Times the size that was asked for. */
    readonly times?: number;
    /** Resources that differ on the server, of those that were asked for. */
    readonly changes: (size: number) => number | "empty";
  };
  readonly args: (place: Place) => readonly string[];
  /** The server holds the fixture again before each run, as the run changes it. */
  readonly writes?: boolean;
  /** Counted runs, of those that were asked for. */
  readonly runs?: (asked: number) => number;
}

export interface Place {
  readonly url: string;
  /** The fixture's files. */
  readonly folder: string;
  /** Empty, and new for each run. */
  readonly scratch: string;
}

const plan = ({ url, folder }: Place) => ["plan", "--url", url, folder];
/** So many changes at once leave no order without a fault. */
const planMany = (place: Place) => [...plan(place), "--allow", "order"];
const apply = ({ url, folder }: Place) => ["apply", "--yes", "--url", url, folder];
const access = (changes: (size: number) => number | "empty", times = 1) => ({
  families: "access" as const,
  times,
  changes,
});
const many = access((size) => Math.min(size, 10_000));
const often = (asked: number) => asked * 3;

export const cases: readonly Case[] = [
  { name: "version", title: "--version", beside: "node", args: () => ["--version"], runs: often },
  { name: "quickstart", title: "validate, quickstart", beside: "node", args: () => ["validate"], runs: often },
  {
    name: "validate",
    title: "validate",
    beside: "files",
    fixture: access(() => 0),
    args: ({ folder }) => ["validate", folder],
  },
  { name: "in-sync", title: "plan, in sync", beside: "floor", fixture: access(() => 0), args: plan },
  { name: "ten", title: "plan, 10 changes", beside: "floor", fixture: access(() => 10), args: plan },
  {
    name: "ten-no-access",
    title: "plan, 10, --no-access",
    beside: "floor",
    fixture: access(() => 10),
    args: (place) => [...plan(place), "--no-access"],
  },
  {
    name: "tenth",
    title: "plan, N/10 changes",
    beside: "floor",
    fixture: access((size) => Math.floor(size / 10)),
    args: planMany,
  },
  { name: "text", title: "plan, N changes, text", beside: "floor", fixture: many, args: planMany },
  {
    name: "json",
    title: "plan, N changes, JSON",
    beside: "floor",
    fixture: many,
    args: (place) => [...planMany(place), "--format", "json"],
  },
  {
    name: "markdown",
    title: "plan, N changes, Markdown",
    beside: "floor",
    fixture: many,
    args: (place) => [...planMany(place), "--format", "markdown"],
  },
  {
    name: "first-apply",
    title: "first apply",
    beside: "floor",
    fixture: access(() => "empty"),
    args: apply,
    writes: true,
  },
  {
    name: "apply-ten",
    title: "apply, 10 changes",
    beside: "floor",
    fixture: access(() => 10),
    args: apply,
    writes: true,
  },
  {
    name: "export",
    title: "export",
    beside: "live",
    fixture: access(() => 0),
    args: ({ url, scratch }) => ["export", "--url", url, "--out", `${scratch}/out`],
  },
  {
    name: "all-families",
    title: "plan, in sync, N of all",
    beside: "floor",
    fixture: { families: "all", changes: () => 0 },
    args: plan,
  },
  {
    name: "growth",
    title: "plan, in sync, 10 × N",
    beside: "floor",
    fixture: access(() => 0, 10),
    args: plan,
    runs: (asked) => Math.min(asked, 3),
  },
];
