/**
 * Whether a sentence of the access diff is about requests that one role has to permit: evaluators of single permissions
 * do not know these, and `test/properties/one-role.test.ts` holds what is said of them.
 */
export function isOfSeveralPermissions(sentence: string): boolean {
  return / by requests that take several permissions .*\(multi_rolespan_enabled is off\)/.test(sentence);
}
