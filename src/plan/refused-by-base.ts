import { isEqual } from "../json/value.ts";
import { isPending } from "../model/change.ts";
import { createAddress } from "../model/names.ts";
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
  readonly settings: Partial<Pick<GuardInput, "policies" | "protect" | "adminRoles">>;
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
      all.find(({ family, name }) => createAddress(family, name) === address),
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
  return [...byGuards, ...found];
}
