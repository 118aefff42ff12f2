import { guards } from "./index.ts";

/** The guards that a person may waive, in the order in which violations are shown. */
export const waivableRules: readonly string[] = guards.filter(({ isWaivable }) => isWaivable).map(({ rule }) => rule);
