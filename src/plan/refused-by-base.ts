import { formatCount, getNoun } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { groupItems } from "../json/collections.ts";
import { isEqual } from "../json/value.ts";
import { type Change, isPending } from "../model/change.ts";
import { type Address, createAddress, type Family } from "../model/names.ts";
import type { Mode } from "../model/policy.ts";
import { changes } from "./guards/changes.ts";
import { deletions } from "./guards/deletions.ts";
import { escalation } from "./guards/escalation.ts";
import type { Guard, GuardFinding, GuardInput } from "./guards/guard.ts";
import { protectedAddresses } from "./guards/protected.ts";
import { type WaiverInput, waiveViolations } from "./guards/waive.ts";

/** What the files of an earlier commit say of a plan. */
export interface BaseProtections {
  /** The commit, as it was named. */
  readonly ref: string;
  /** By which guards are evaluated again. */
  readonly settings: Pick<GuardInput, "policies"> & Partial<Pick<GuardInput, "protect" | "adminRoles">>;
  /** Of the families that its files declare. */
  readonly modes: ReadonlyMap<Family, Mode>;
  /** The plan of those files, for the same live state. */
  readonly planned: Pick<GuardInput, "changes" | "live" | "access">;
  /** What its access tests and its checks of files refuse. */
  readonly found: readonly GuardFinding[];
}

/** Guards that go by what gate-sync.yaml says. */
const configured: readonly Guard[] = [protectedAddresses, deletions, changes, escalation];

/**
 * What the files of the base would refuse of a plan: without what its own guards find, what the plan of the base would do as
 * well, and what is waived for the guard itself.
 */
export function findRefusedByBase(
  evaluated: GuardInput,
  base: BaseProtections,
  waiving: WaiverInput,
): readonly GuardFinding[] {
  const { ref, settings, planned, found } = base;
  const byBase = { ...evaluated, ...settings };
  const ofBase = { ...byBase, ...planned, pending: planned.changes.filter(isPending) };
  const isAlsoPlanned = (address: string) => {
    const [own, other] = [evaluated.pending, ofBase.pending].map((all) =>
      all.find((change) => addressOf(change) === address),
    );
    return own?.action === other?.action && isEqual(own?.after, other?.after);
  };
  const byGuards = configured.flatMap(({ rule, evaluate }) => {
    const listNamed = (input: GuardInput) => new Set(evaluate(input).flatMap(({ addresses }) => addresses));
    const [own, old] = [listNamed(evaluated), listNamed(ofBase)];
    const findings = evaluate(byBase).map((one) => ({ rule, ...one }));
    return waiveViolations(findings, waiving).violations.flatMap(({ remedies: _, rule: __, why, ...one }) => {
      const left = one.addresses.filter(
        (address) => !own.has(address) && !(old.has(address) && isAlsoPlanned(address)),
      );
      if (left.length === 0) return [];
      const reason = `By the files of ${ref}, the guard ${rule} refuses it.${why === undefined ? "" : ` ${why}`}`;
      return [{ ...one, why: reason, addresses: left }];
    });
  });
  const others = evaluated.pending.filter((change) => !isAlsoPlanned(addressOf(change)));
  return [...byGuards, ...findLeft(others, base), ...found];
}

/** Of what the base leaves to others, or as it is. */
function findLeft(pending: readonly Change[], base: BaseProtections): readonly GuardFinding[] {
  const left = pending.flatMap((change) => {
    const why = explainLeft(change, base);
    return why === undefined ? [] : [{ change, why }];
  });
  return groupItems(left, ({ why }) => why).map((group) => {
    const [{ change, why }] = group;
    const { family } = change;
    return {
      family,
      what: `${formatCount(group.length, family)} would be changed that ${base.ref} leaves as ${group.length === 1 ? "it is" : "they are"}.`,
      why,
      addresses: group.map((one) => addressOf(one.change)),
    };
  });
}

function explainLeft({ family, name, action }: Change, { ref, settings, modes }: BaseProtections): string | undefined {
  const policy = settings.policies[family];
  if (!isInScope(policy, name)) return `families.${family} of ${ref} leaves it to others, by include or exclude.`;
  const mode = modes.get(family) ?? policy?.mode;
  if (mode === "observe") return `By the files of ${ref}, the mode of ${family} is observe: nothing is written.`;
  if (action !== "delete") return undefined;
  if (mode === "adopt") return `By the files of ${ref}, the mode of ${family} is adopt: nothing is deleted.`;
  // Files that are the first of all take nothing from those of then.
  const isNew = modes.size > 0 && !modes.has(family);
  return isNew ? `The files of ${ref} declare no ${getNoun(family, 2)}, and so delete none.` : undefined;
}

function addressOf({ family, name }: Change): Address {
  return createAddress(family, name);
}
