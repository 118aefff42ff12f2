import { type Diagnostic, isError } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { formatLocation, getPosition } from "../../diagnostics/source.ts";
import { listLikelyAdminRoles } from "../../dialects/caller.ts";
import { applyDeletions } from "../../diff/diff.ts";
import { refuseOtherHosts } from "../../load/allowed-hosts.ts";
import type { Change } from "../../model/change.ts";
import type { LiveState } from "../../model/live.ts";
import type { Address } from "../../model/names.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { WeakenedProtection } from "../../model/since.ts";
import type { Target } from "../../model/target.ts";
import type { AccessStates, GuardFinding } from "../../plan/guards/guard.ts";
import type { BaseProtections } from "../../plan/refused-by-base.ts";
import { findBrokenTests } from "../../questions/broken-tests.ts";
import { findAnswerPlaces } from "../../questions/places.ts";
import { validateShape } from "../../validate/shape.ts";
import { listTargetUrls } from "../../validate/user-writes.ts";
import { type BasePlan, decideBasePlan } from "../history/base-plan.ts";
import { listModes } from "../history/since.ts";
import { type CheckedFiles, checkFiles, checkShares, checkTogether, checkWrites } from "../pipeline/checked-files.ts";
import { findEntryAt } from "./found.ts";
import { type BaseFiles, type ConfigSide, formatProblems, type OpenedBase } from "./side.ts";
import { compareProtections } from "./table.ts";
import { findLostTests, type LostTest } from "./tests.ts";

/** The commit that a plan is compared with: its files, what they would do to the same server, and what is weaker now. */
export interface AgainstBase {
  readonly base: BaseFiles;
  readonly plan: BasePlan;
  readonly lost: readonly LostTest[];
  readonly weakened: readonly WeakenedProtection[];
}

interface Today {
  readonly files: CheckedFiles;
  readonly target: Target;
  readonly live: LiveState;
  readonly reader: ReadPort;
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string;
}

export async function compareWithBase(
  { bases, config }: OpenedBase,
  { files, target, live, reader, today }: Today,
): Promise<readonly AgainstBase[]> {
  const sideOf = (side: ConfigSide, { whole, declared, tests, personas }: CheckedFiles, { families }: Target) => ({
    ...side,
    repository: whole,
    declared,
    expected: { tests, personas },
    modes: listModes(whole, families),
    dialect: files.dialect,
  });
  const now = sideOf(config, files, target);
  const against: AgainstBase[] = [];
  for (const base of bases) {
    const plan = await decideBasePlan(base, { live, dialect: files.dialect, reader });
    const then = sideOf(base, plan.files, base.target);
    const lost = findLostTests(then.expected, now.expected, files.dialect.release);
    against.push({ base, plan, lost, weakened: compareProtections(then, now, { ref: base.ref, today, lost }) });
  }
  return against;
}

/** Those that say whose a change is; none where files of the base have errors, or it lacks this target. */
export function listComparable(against: readonly AgainstBase[]): readonly AgainstBase[] {
  const own = against.filter(({ base }) => base.isOwn);
  return own.every(({ base }) => base.problems.length === 0) ? own : [];
}

/** Access tests of the base that nobody can ask, in sentences. */
export function listUnaskable(against: readonly AgainstBase[]): readonly string[] {
  return against.flatMap(({ base, plan }) => {
    const unaskable = plan.files.diagnostics.filter(({ code }) => code === "bad-access-test");
    return unaskable.length > 0 ? [formatProblems(base.ref, unaskable)] : [];
  });
}

/** What this plan does. */
interface Evaluated {
  readonly files: CheckedFiles;
  readonly target: Target;
  readonly changes: readonly Change[];
  /** What the server holds before. */
  readonly live: LiveState;
  /** Who may do what before and after; absent where neither changes access nor asks a test. */
  readonly access: AccessStates | undefined;
}

/** What the base refuses of a plan, and what it shows. */
export interface EvaluatedBase {
  readonly protections: BaseProtections;
  readonly weakened: readonly WeakenedProtection[];
}

/** The settings of the base for the guards, and what its tests and checks of files refuse. */
export function evaluateBase(against: AgainstBase, evaluated: Evaluated): EvaluatedBase {
  const { base, plan, weakened } = against;
  const { families, protect = [], adminRoles = listLikelyAdminRoles(evaluated.files.dialect) } = base.target;
  const broken = findBrokenLost(against, evaluated);
  // That access goes together with the test that expects it is ordinary.
  const denied = broken.filter(({ isDenied }) => isDenied);
  const allowed = broken.filter(({ isDenied }) => !isDenied);
  return {
    protections: {
      ref: base.ref,
      settings: { policies: families, protect, adminRoles },
      modes: listModes(plan.files.whole, families),
      planned: { changes: plan.changes, live: plan.live, access: plan.access },
      found: [...denied.map(({ finding }) => finding), ...findRefusedFiles(against, evaluated)],
    },
    weakened: weakened.map((one) => {
      const isFailing = one.kind === "access_tests" && allowed.some(({ title }) => title === one.name);
      return isFailing ? { ...one, note: "It fails once this is applied." } : one;
    }),
  };
}

interface BrokenLost {
  readonly title: string;
  readonly isDenied: boolean;
  readonly finding: GuardFinding;
}

/** Lost tests of the base that fail after this plan, and do not fail alike after the plan of the base. */
function findBrokenLost({ base, plan, lost }: AgainstBase, { access, files }: Evaluated): readonly BrokenLost[] {
  if (!access || lost.length === 0) return [];
  const expected = { tests: lost.map(({ test }) => test), personas: plan.files.personas };
  const evaluate = (pair: AccessStates, { desired, dialect }: CheckedFiles) =>
    findBrokenTests(expected, pair, dialect, findAnswerPlaces(desired))?.findings ?? [];
  const old = plan.access ? evaluate(plan.access, plan.files) : [];
  return evaluate(access, files).flatMap((finding): readonly BrokenLost[] => {
    const { origin, what, why, addresses, contradictions, ...rest } = finding;
    const own = origin ? lost.filter(({ test }) => test.origin === origin) : lost;
    // Where it is unknown, the base would have been refused as well, and what this plan grants is unknown, too.
    const then = old.find((one) => one.origin === origin)?.contradictions;
    if (origin && then && contradictions.every((one) => then.includes(one))) return [];
    return own.map(({ test, title }) => {
      const place = `${test.origin.file.path}:${getPosition(test.origin.file, test.origin.start).line}`;
      const by = `${base.ref} has this test, and these files have it no more, or a weaker one.`;
      return {
        title,
        isDenied: test.expect === "denied",
        finding: {
          ...rest,
          what: what.replace(`(${place})`, `(${place} at ${base.ref})`),
          why: why === undefined ? by : `${by} ${why}`,
          addresses: addresses.length > 0 ? addresses : [`access_tests/${title}`],
        },
      };
    });
  });
}

/** Errors in the files of today by gate-sync.yaml of the base, which its own files do not have. */
function findRefusedFiles(
  { base, plan }: AgainstBase,
  { files, target, ...doing }: Evaluated,
): readonly GuardFinding[] {
  const { vars } = target;
  const { families, lint, findShare, acceptFields } = base.target;
  const isAccepted = target.acceptFields.every((field) => acceptFields.includes(field));
  const errorsOf = (
    checked: CheckedFiles,
    { changes, live }: Pick<Evaluated, "changes" | "live">,
    more: readonly Diagnostic[] = [],
  ) =>
    [
      ...more,
      ...(isAccepted ? [] : validateShape(checked.whole, base.target)),
      ...checked.diagnostics,
      ...checkShares(checked, { vars, families, ...(findShare && { findShare }) }),
      ...checkTogether(checked, applyDeletions(live, changes)),
      ...checkWrites(checked, { changes, live }),
    ]
      .filter(isError)
      .map((one) => ({ one, address: addressOf(one, checked) }));
  const keyOf = ({ one: { code, what }, address }: ReturnType<typeof errorsOf>[number]) => `${code} ${address} ${what}`;
  const checked = checkFiles(files, files.dialect, { ...files.stated, families, acceptFields, ...(lint && { lint }) });
  const known = new Set(errorsOf(plan.files, plan).map(keyOf));
  // What is out of its scope is refused where it changes.
  const found = errorsOf(checked, doing, base.outside).filter(
    (each) => !known.has(keyOf(each)) && each.one.code !== "out-of-scope",
  );
  const findings = found.map(({ one: { code, what, why = "", range, path = "" }, address }) => ({
    what: `${what} (${range ? formatLocation(range) : path})`,
    why: `${why} By gate-sync.yaml of ${base.ref} this is an error: ${code}.`.trim(),
    addresses: [address],
  }));
  return [...findings, ...findOtherHosts(base, target)];
}

function addressOf({ range, path = "gate-sync.yaml" }: Diagnostic, { declared }: CheckedFiles): Address {
  return (range && findEntryAt(range, declared)) ?? `files/${range?.file.path ?? path}`;
}

/** By then its login was sent there; it is still not to be agreed to unseen. */
function findOtherHosts({ root, ref }: BaseFiles, target: Target): readonly GuardFinding[] {
  if (!root) return [];
  try {
    refuseOtherHosts(root, target.name, listTargetUrls(target));
    return [];
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return [{ what: error.userMessage.what, why: `So it is at ${ref}.`, addresses: ["files/gate-sync.yaml"] }];
  }
}
