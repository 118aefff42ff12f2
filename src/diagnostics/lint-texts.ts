/**
 * Lint rules: declarations that do something else than they seem to. A repository may set their severity, and a comment
 * may silence them; a real server's verdict is behind each (`test/unit/validate/lint/proofs.test.ts`).
 */
export const lintTexts = {
  "write-without-bulk": {
    severity: "warning",
    title: "Writing is granted without what every write takes",
    why: "Every write, of a single document too, needs indices:data/write/bulk for the cluster and bulk[s] on the index.",
    fix: 'Add "indices:data/write/bulk" to cluster_permissions, and "indices:data/write/bulk*" to allowed_actions.',
  },
  "write-without-mapping": {
    severity: "warning",
    title: "Writing is granted, but no new fields",
    why: "A document with a field that its index does not know yet is refused.",
    fix: 'Add "indices:admin/mapping/put" to allowed_actions, unless mappings are managed elsewhere.',
  },
  "restricted-writes": {
    severity: "warning",
    title: "Writing is granted where restrictions do not guard it",
    why: "DLS does not guard writes: hidden documents can be overwritten and deleted. _update fails with DLS, FLS or masks.",
    fix: "Keep what must not be written in an index of its own, or remove the write action.",
  },
  "cluster-action-on-index": {
    severity: "warning",
    title: "A cluster action is granted on indices",
    why: "The server looks for it among the cluster permissions only: here it grants nothing.",
    fix: "Move it to cluster_permissions of the role.",
  },
  "index-action-on-cluster": {
    severity: "warning",
    title: "An index action is granted for the cluster",
    why: "The server looks for it among the index permissions only: here it grants nothing.",
    fix: "Move it to index_permissions of the role, with the patterns that it is meant for.",
  },
  "mixed-field-rules": {
    severity: "warning",
    title: "Fields are included and excluded at once",
    why: "With one exclude (~field), in any role of a principal, no include counts: all other fields are shown.",
    fix: "Write only the fields to include, or only those to exclude.",
  },
  "plain-field-rule": {
    severity: "warning",
    title: "An FLS rule has a pattern that FLS does not know",
    why: "In documents * is the only wildcard of FLS: ~t?am and ~/team/ hide nothing.",
    fix: "Write the names of the fields, or a pattern with *.",
  },
  "two-masks": {
    severity: "warning",
    title: "One field is masked in two ways",
    why: "OpenSearch then refuses to read these documents (400), or leaves them out of the answer.",
    fix: "Keep one of the two masks.",
  },
  "alias-drops-restriction": {
    severity: "warning",
    title: "An alias makes a restriction stop applying",
    why: "Once an alias matches a pattern with ? or /.../, OpenSearch restricts the indices of such aliases only.",
    fix: "Restrict by names, or by a pattern with * only.",
  },
  "restriction-stays": {
    severity: "warning",
    title: "A restriction also applies to what another role grants",
    why: "A principal with both roles gets the restriction on what both of them grant. With dfm_empty_overrides_all on the nodes, the role without a restriction removes it.",
    fix: "Map the two roles to different members, or silence this where it is meant.",
  },
  "anchored-regex": {
    severity: "warning",
    title: "A regular expression matches whole names only",
    why: "/logs-/ matches only the name logs-, and not logs-2026.",
    fix: "Write /.*logs-.*/ for names that contain it, /logs-.*/ for names that begin with it.",
  },
  "all-pattern": {
    severity: "warning",
    title: "_all is no name of all indices",
    why: "As an index pattern it means nothing on OpenSearch, and everything on Search Guard.",
    fix: 'Write the patterns that are meant, or "*" for every index.',
  },
  "filtered-alias": {
    severity: "warning",
    title: "The filter of an alias does not hold for its indices",
    why: "A permission on an alias is one on its indices: by their own names they are shown without the filter.",
    fix: "Write the filter as dls: of a permission on the indices.",
  },
  "matches-nothing": {
    severity: "warning",
    title: "A pattern matches nothing",
    why: 'No index name has a comma, upper case, or "-" or "/" at its beginning; tenant patterns need a tenant that exists.',
    fix: "Write each pattern as an element of its own; end an expression with /; declare the tenant.",
  },
  "dotted-pattern": {
    severity: "warning",
    title: "A pattern has a dot where the product takes keys apart",
    why: "Search Guard 6 stores it, and it matches no index: the permission grants nothing.",
    fix: "Write ? for the dot, which matches any one character: logs?2026.",
  },
  "variable-not-replaced": {
    severity: "warning",
    title: "A variable where none is replaced",
    why: "The server takes ${user.name} as it is here, so it matches nothing.",
    fix: "Write what is meant; ${var:NAME} for a value that differs from cluster to cluster.",
  },
  "chosen-name": {
    severity: "warning",
    title: "A name that users choose becomes part of a pattern",
    why: 'A user who can choose a name, and chooses "*", makes it a wildcard: ${user.name} is then every index, scratch-${user.name} every index that begins with scratch-.',
    fix: "Map the role to users by their names, or check that no login lets users choose * or ?.",
  },
  "cidr-in-hosts": {
    severity: "warning",
    title: "A network where addresses are compared as text",
    why: "10.0.0.0/8 among hosts matches no address.",
    fix: 'Write a pattern of the address: "10.*".',
  },
  "star-backend-role": {
    severity: "warning",
    title: "Any backend role means everybody",
    why: 'On OpenSearch backend_roles: ["*"] matches users without any backend role, too.',
    fix: "Name the backend roles, unless everybody is meant.",
  },
  "wildcard-principal": {
    severity: "warning",
    title: "Everybody is mapped",
    why: 'users: ["*"] is everybody who can log in: all of them get the role.',
    fix: "Name the users or their backend roles, unless everybody is meant.",
  },
  "tenant-not-writable": {
    severity: "warning",
    title: "Writing in a tenant is granted by other words than the server knows",
    why: "The server looks for the very text kibana:saved_objects/*/write; with * or kibana:* a tenant is read only.",
    fix: 'Add "kibana:saved_objects/*/write" to allowed_actions of the tenant permission.',
  },
  "pattern-named-group": {
    severity: "warning",
    title: "An action group is named like a pattern",
    why: "A group called * or indices:... changes every role that has this text among its actions.",
    fix: "Give it a name without colons and wildcards.",
  },
  "builtin-named-group": {
    severity: "warning",
    title: "An action group is named like a built-in one",
    why: "Search Guard refuses it. OpenSearch may store it over its own, and then fails to take what is written later.",
    fix: "Give it another name, and use that in the roles.",
  },
  "unused-action-group": {
    severity: "warning",
    title: "An action group is used by no role",
    why: "It grants nothing to anyone.",
    fix: "Use it in a role, or remove it.",
  },
  "unmapped-role": {
    severity: "warning",
    title: "A role has no members",
    why: "It grants nothing, unless internal users have it or the nodes take backend roles for roles.",
    fix: "Add a mapping: role_mappings: { ROLE: { backend_roles: [NAME] } }. Or remove the role.",
  },
  "unknown-role": {
    severity: "warning",
    title: "A role that is not declared is mapped",
    why: "The mapping grants nothing, and some servers refuse it.",
    fix: "Correct the name, or declare the role.",
  },
  "unknown-action-group": {
    severity: "warning",
    title: "An action group that is not declared is used",
    why: "The server takes it for the name of an action, which matches nothing.",
    fix: "Correct the name, or declare the action group.",
  },
  "unknown-tenant": {
    severity: "warning",
    title: "A tenant that is not declared is granted",
    why: "The permission grants nothing until the tenant exists.",
    fix: "Correct the name, or declare the tenant.",
  },
} as const;
