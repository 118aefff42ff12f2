// How OpenSearch evaluates requests otherwise than the release before: tried on 3.4.0, recorded of 3.8.0, and by the sources.

export const since30 = {
  allRestricts: false,
  restrictsByOnePattern: false,
  aliasesDropRestrictions: false,
  oneOfRoleRestricts: true,
  fieldPatterns: true,
  invalidQueries: "hide",
  failsWithoutValue: true,
  failsOnTwoMasks: false,
  showsHiddenIndices: false,
} as const;

export const since36 = { invalidQueries: "ignored" } as const;
