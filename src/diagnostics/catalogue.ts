export type Severity = "error" | "warning";

interface Entry {
  readonly severity: Severity;
  /** The same words every time; names nothing that the user chose. */
  readonly title: string;
}

/**
 * Lint rules: declarations that do something else than they seem to. A repository may set their severity, and a comment
 * silence them.
 */
const lintTitles = {
  "write-without-bulk": "Writing is granted without what every write takes",
  "write-without-mapping": "Writing is granted, but no new fields",
  "restricted-writes": "Writing is granted where restrictions do not guard it",
  "cluster-action-on-index": "A cluster action is granted on indices",
  "index-action-on-cluster": "An index action is granted for the cluster",
  "mixed-field-rules": "Fields are included and excluded at once",
  "plain-field-rule": "An FLS rule has a pattern that FLS does not know",
  "two-masks": "One field is masked in two ways",
  "alias-drops-restriction": "An alias makes a restriction stop applying",
  "restriction-stays": "A restriction holds over another role",
  "anchored-regex": "A regular expression matches whole names only",
  "all-pattern": "_all is no name of all indices",
  "filtered-alias": "The filter of an alias does not hold for its indices",
  "matches-nothing": "A pattern matches nothing",
  "dotted-pattern": "A pattern has a dot where the product takes keys apart",
  "variable-not-replaced": "A variable where none is replaced",
  "chosen-name": "A name that users choose becomes a pattern",
  "cidr-in-hosts": "A network where addresses are compared as text",
  "star-backend-role": "Any backend role means everybody",
  "wildcard-principal": "Everybody is mapped",
  "tenant-not-writable": "Writing in a tenant is granted by other words than the server knows",
  "pattern-named-group": "An action group is named like a pattern",
  "builtin-named-group": "An action group is named like one that the product ships",
  "unused-action-group": "An action group is used by no role",
  "unmapped-role": "A role has no members",
  "unknown-role": "A role that is not declared is mapped",
  "unknown-action-group": "An action group that is not declared is used",
  "unknown-tenant": "A tenant that is not declared is granted",
} as const;

export type LintCode = keyof typeof lintTitles;

export const lintCodes = Object.keys(lintTitles) as readonly LintCode[];

const lintEntries = Object.fromEntries(
  lintCodes.map((code) => [code, { severity: "warning", title: lintTitles[code] }]),
) as Readonly<Record<LintCode, Entry>>;

/** Every code a diagnostic may carry; a test holds that each is raised somewhere. */
export const catalogue = {
  // Files
  "unreadable-file": { severity: "error", title: "A file cannot be read" },
  "outside-repository": { severity: "error", title: "A file leads out of the repository" },
  "missing-state": { severity: "error", title: "A state path matches no file" },
  "file-too-large": { severity: "error", title: "A file is larger than the limit" },
  "invalid-utf8": { severity: "error", title: "A file is not valid UTF-8" },
  "symlink-loop": { severity: "error", title: "Symbolic links form a loop" },
  "unread-file": { severity: "warning", title: "A file in a state folder is read by nothing" },
  "unknown-family": { severity: "error", title: "The family of a file is unknown" },
  "mixed-families": { severity: "error", title: "A file mixes the shapes of several families" },
  "meta-mismatch": { severity: "warning", title: "The header of a file contradicts its name" },
  "misspelt-file-name": { severity: "warning", title: "The name of a file is nearly one that products use" },
  "foreign-product": { severity: "error", title: "A file belongs to another product" },
  // YAML
  syntax: { severity: "error", title: "A file is not valid YAML or JSON" },
  "tab-indentation": { severity: "error", title: "A tab is used for indentation" },
  "duplicate-key": { severity: "error", title: "A key is twice in one map" },
  "alias-bomb": { severity: "error", title: "Aliases expand beyond reason" },
  "unknown-tag": { severity: "error", title: "A YAML tag has no meaning here" },
  "rendered-template": { severity: "error", title: "A template was never rendered" },
  "key-not-text": { severity: "error", title: "A key is not a single word" },
  // Shape
  "unknown-field": { severity: "error", title: "A field is not known" },
  "foreign-field": { severity: "error", title: "A field belongs to another family" },
  "wrong-type": { severity: "error", title: "A value has the wrong type" },
  "not-a-string": { severity: "error", title: "A list that holds text holds something else" },
  "null-in-list": { severity: "error", title: "A list holds null or blank" },
  "scalar-for-list": { severity: "warning", title: "A single value where a list belongs" },
  "null-entry": { severity: "warning", title: "An entry is null" },
  "mixed-format": { severity: "warning", title: "Spellings of two versions are mixed" },
  "missing-field": { severity: "error", title: "A field is missing" },
  "exclusive-fields": { severity: "error", title: "Fields exclude each other" },
  "retired-field": { severity: "error", title: "A field was retired" },
  // Names
  "duplicate-name": { severity: "error", title: "A resource is declared twice" },
  "unknown-target": { severity: "error", title: "A target is named that is not described" },
  "bad-name": { severity: "error", title: "A name cannot be used" },
  "out-of-scope": { severity: "error", title: "A declared resource is outside the scope" },
  // References
  "unknown-variable": { severity: "error", title: "A variable is not defined" },
  "vendor-variable": { severity: "error", title: "A variable of another tool is not replaced here" },
  "secret-in-name": { severity: "error", title: "A secret is in a name or pattern" },
  "misplaced-secret": { severity: "error", title: "A secret is in a field that holds none" },
  "unset-secret": { severity: "error", title: "A secret has no value" },
  // Values
  "bad-block-value": { severity: "error", title: "The value of a block does not fit its type" },
  "bad-masked-field": { severity: "error", title: "A masking expression is not valid" },
  "several-block-values": { severity: "error", title: "A block has more values than the product takes" },
  "incomplete-block": { severity: "warning", title: "A block lacks type, value or verdict" },
  "incomplete-mapping": { severity: "warning", title: "A role mapping has no members" },
  "incomplete-action-group": { severity: "warning", title: "An action group lacks its list" },
  "incomplete-index-permission": { severity: "warning", title: "An index permission grants nothing" },
  "dls-not-json": { severity: "warning", title: "A document-level query is not JSON" },
  "suspicious-action": { severity: "warning", title: "An action name cannot be meant so" },
  "question-mark-pattern": { severity: "warning", title: "A question mark where a dot was meant" },
  "document-types": { severity: "warning", title: "Permissions per document type are united" },
  "spaces-around-name": { severity: "warning", title: "A name begins or ends with a blank" },
  "broken-variable": { severity: "warning", title: "A variable lacks its braces" },
  // Waivers
  "expired-waiver": { severity: "warning", title: "A waiver has expired" },
  "unused-waiver": { severity: "warning", title: "A waiver waives nothing" },
  // Access tests
  "bad-access-test": { severity: "error", title: "An access test asks what cannot be asked" },
  "doubtful-access-test": { severity: "warning", title: "An access test names what looks misspelt" },
  "failed-access-test": { severity: "error", title: "An access test fails" },
  // Cross-references
  "action-group-cycle": { severity: "warning", title: "Action groups contain each other" },
  "server-owned": { severity: "warning", title: "An entry that belongs to the server is declared" },
  "reserved-differs": { severity: "error", title: "A reserved resource is declared differently" },
  "refused-by-server": { severity: "error", title: "The server refuses what is declared" },
  "bad-ignore": { severity: "warning", title: "A comment that is to silence a warning cannot" },
  "unused-ignore": { severity: "warning", title: "A comment silences nothing" },
  ...lintEntries,
  "unsupported-here": { severity: "error", title: "The product cannot hold what is declared" },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof catalogue;
