import type { WeakenedProtection } from "../../model/since.ts";
import { escapeInvisible } from "../escape.ts";

/** One protection that is weaker than at the commit of `--base`. Texts are fit to be shown. */
export interface ProtectionView {
  /** As the model has it, for programs. */
  readonly weakened: WeakenedProtection;
  /** `access_tests payroll is secret (access/tests.yaml:2:5 at main)` */
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** Empty where there is nothing more to know. */
  readonly note: string;
}

export const protectionTitle = "Protection: weaker than at the base";

export function createProtectionView(weakened: WeakenedProtection): ProtectionView {
  const { kind, name, place, before, after, note = "" } = weakened;
  return {
    weakened,
    title: escapeInvisible(`${kind}${name === undefined ? "" : ` ${name}`} (${place})`),
    before: escapeInvisible(before ?? notThere),
    after: escapeInvisible(after ?? notThere),
    note: escapeInvisible(note),
  };
}

const notThere = "none";
