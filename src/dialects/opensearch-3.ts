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
  // Expressions without variables are read with the roles, and left out where Java refuses them.
  refusedExpressions: { beside: "element", cluster: [], alwaysOnIndices: false, onlyFilledIn: true },
  showsHiddenIndices: false,
} as const;

export const since37 = { substitutesVariables: true } as const;

/** The evaluation that `privileges_evaluation_type: v4` turns on, from 3.7 on. */
export const v4 = {
  reducesByPattern: true,
  // What takes no list of indices that could be cut down is refused.
  reduced: ["/indices:(?!data/write/|admin/(aliases|auto_create|create|resize|rollover)$).*/"],
  noneMeansAll: [],
  globalTenantRoles: [],
  securityIndexKeeps: ["*"],
};

export const since36 = { invalidQueries: "ignored" } as const;
