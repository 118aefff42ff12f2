/** Which requests fail for who holds an index pattern that becomes a regular expression that Java refuses. */
export interface RefusedExpressions {
  /** They fail where its element has DLS, FLS or masks, or any element that the subject holds. */
  readonly beside: "element" | "held";
  /** The cluster permissions that fail then, beside all on indices. */
  readonly cluster: readonly string[];
  /** Requests about indices fail without any restriction, too. */
  readonly alwaysOnIndices: boolean;
  /** One that is refused as it is written fails nothing. */
  readonly onlyFilledIn?: true;
}
