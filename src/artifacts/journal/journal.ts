import type { Progress } from "../../apply/ports.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { encodeCanonical } from "../../json/canonical.ts";
import { runId } from "../../live/client/opaque-id.ts";
import type { JournalRecord, PlanRecord, RunBeginning } from "../../model/journal.ts";
import { createAddress, type Family } from "../../model/names.ts";
import type { Outcome, Report } from "../../model/outcome.ts";
import type { WritePort } from "../../model/ports.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import type { Target } from "../../model/target.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { createJournalFile, findLastRun, type JournalFile } from "./file.ts";
import { isWhollyDone, type KnownRun, type UnreadableRun } from "./known-run.ts";
import { encodeJournaledPlan } from "./plan-record.ts";

export interface JournalOptions {
  /** Absolute. */
  readonly stateDir: string;
  readonly command: RunBeginning["command"];
  readonly env: Surroundings["env"];
  /** `--family`. */
  readonly families?: readonly Family[];
  readonly now: () => Date;
  /** True once the user asked to stop. */
  readonly stopped: () => boolean;
}

type Connect = (target: Target) => WritePort;

/** The journal of one run. A record is on the disk before the run goes on. */
export interface RunJournal {
  /**
   * Records a plan, before any request of it is sent.
   *
   * @param backup its name
   * @throws RunError `failed` where it cannot be written: then nothing of the plan may be sent
   */
  recordPlan(planned: DecidedPlan, backup: string | undefined): Promise<void>;
  /** The same connection and progress, and each request is recorded. One that cannot be recorded is not sent. */
  wrapConnection(connect: Connect, progress: Progress): { readonly connect: Connect; readonly progress: Progress };
  /**
   * Records how the run ended.
   *
   * @param report absent where the run could not go on
   */
  end(report?: Pick<Report, "verified" | "differing">): Promise<void>;
  /**
   * Records a run that had nothing to send, if that changes what is known: the run before it left something open, or was
   * about other files. Where there is no journal it makes none.
   */
  recordInSync(planned: DecidedPlan): Promise<void>;
  /** Why records are missing; undefined where none is. */
  explainIncomplete(): string | undefined;
}

/** Nothing is on the disk before the first plan. */
export function openJournal(options: JournalOptions): RunJournal {
  let file: JournalFile | undefined;
  let broken: string | undefined;
  const time = () => options.now().toISOString();
  const write = async (record: JournalRecord): Promise<boolean> => {
    if (broken !== undefined) return false;
    try {
      await file?.append(record);
      return true;
    } catch (error) {
      broken = `${file?.path ?? ""}: ${error instanceof Error ? error.message : String(error)}`;
      return false;
    }
  };
  const begin = async ({ plan: { target } }: DecidedPlan, plan: PlanRecord, more: readonly JournalRecord[] = []) => {
    const body = { time: plan.time, run: runId, command: options.command };
    return createJournalFile(options.stateDir, { target, body }, [plan, ...more]);
  };
  let before: KnownRun | UnreadableRun | undefined;
  const readBefore = async ({ plan: { target } }: DecidedPlan): Promise<void> => {
    before = await findLastRun(options.stateDir, target, options.env);
  };
  const circumstances = () => ({ ...options, time: time(), ...(before?.plan && { before }) });
  return {
    async recordPlan(planned, backup) {
      if (planned.plan.operations.length === 0) return;
      // Once the file is there, the last run is this one.
      if (file === undefined) await readBefore(planned);
      const plan = encodeJournaledPlan(planned, { ...circumstances(), ...(backup !== undefined && { backup }) });
      if (file === undefined) file = await begin(planned, plan);
      else if (!(await write(plan))) throw cannotGoOn(broken ?? "");
    },
    wrapConnection: (connect, progress) => wrapConnection(connect, progress, write, time),
    async end(report) {
      const { verified, differing = [] } = report ?? {};
      const interrupted = options.stopped();
      if (file)
        await write({
          record: "end",
          time: time(),
          interrupted,
          ...(verified !== undefined && { verified }),
          differing,
        });
      await file?.close().catch(() => {});
      file = undefined;
    },
    async recordInSync(planned) {
      try {
        await readBefore(planned);
        const plan = encodeJournaledPlan(planned, circumstances());
        if (!before || !addsTo(before, plan)) return;
        const end = { record: "end", time: plan.time, interrupted: false, verified: true, differing: [] } as const;
        await (await begin(planned, plan, [end])).close();
      } catch (error) {
        // Nothing was sent, so nothing is lost but a baseline.
        if (!(error instanceof RunError)) throw error;
      }
    },
    explainIncomplete: () => broken,
  };
}

function wrapConnection(
  connect: Connect,
  progress: Progress,
  write: (record: JournalRecord) => Promise<boolean>,
  time: () => string,
): { readonly connect: Connect; readonly progress: Progress } {
  let [operation, attempt, refuses] = [0, 0, false];
  const watched: Connect = (target) => {
    const port = connect(target);
    return {
      get: (path) => port.get(path),
      close: () => port.close(),
      async send(sent, timeouts) {
        attempt += 1;
        const { method, path, family, names } = sent;
        const addresses = names.map((name) => createAddress(family, name));
        const intended = { operation, attempt, method, path, addresses };
        if (!(await write({ record: "intention", time: time(), run: runId, ...intended }))) {
          refuses = true;
          return {
            lost: "The journal cannot be written any more, so nothing was sent.",
            unsent: true,
            milliseconds: 0,
          };
        }
        const answer = await port.send(sent, timeouts);
        const heard = "status" in answer ? { status: answer.status } : { lost: answer.lost };
        await write({ record: "answer", time: time(), operation, ...heard });
        return answer;
      },
    };
  };
  return {
    connect: watched,
    progress: {
      ...progress,
      starting(started, index, total) {
        [operation, attempt] = [index + 1, 0];
        progress.starting?.(started, index, total);
      },
      async settled(outcome, index, total) {
        await write(outcomeRecord(outcome, index + 1, time()));
        await progress.settled(outcome, index, total);
      },
      stopped: () => refuses || progress.stopped(),
    },
  };
}

function outcomeRecord({ kind, detail }: Outcome, operation: number, time: string): JournalRecord {
  return { record: "outcome", time, operation, outcome: kind, ...(detail !== undefined && { detail }) };
}

/** Whether it says something that the last run does not. */
function addsTo(before: KnownRun | UnreadableRun, now: PlanRecord): boolean {
  if (!before.plan || before.begin.command !== "apply" || !isWhollyDone(before)) return true;
  const essence = ({ declared, unmanaged = [], passwords = [], desired, scope }: PlanRecord) =>
    encodeCanonical([
      declared,
      unmanaged.map(({ family }) => family),
      passwords,
      desired.map((entry) => ({ ...entry })),
      { ...scope },
    ]);
  return essence(before.plan) !== essence(now);
}

function cannotGoOn(why: string): RunError {
  return new RunError("failed", {
    what: "The journal cannot be written any more.",
    why: `${why}. Nothing more was sent.`,
    fix: "Make room, and run gate-sync apply again: it reads the server first and finishes.",
  });
}
