/** Codes of what entries hold: their fields and values, waivers, access tests, and what the server takes. */
export const entryTexts = {
  // Fields
  "unknown-field": {
    severity: "error",
    title: "A field is not known",
    why: "Servers refuse fields that they do not know, so what the line asks for would not hold.",
    fix: "Correct the name. If a newer server knows the field: accept_fields: [NAME] in gate-sync.yaml.",
  },
  "foreign-field": {
    severity: "error",
    title: "A field belongs to another family",
    why: "Servers refuse an entry with fields of another family.",
    fix: "Move the field to where it belongs (the message says where), or remove it.",
  },
  "wrong-type": {
    severity: "error",
    title: "A value has the wrong type",
    why: "A server would refuse it, or read something else than you mean.",
    fix: "Write what the message shows. A list is [a, b], a string that looks like a number is in quotes.",
  },
  "not-a-string": {
    severity: "error",
    title: "A list of strings holds something else",
    why: "A server would refuse it, or read something else than you mean.",
    fix: 'Put quotes around it: "2024".',
  },
  "null-in-list": {
    severity: "error",
    title: "A list holds null or an empty string",
    why: "It matches nothing. Search Guard 7 stores a null in a pattern and then loads no configuration any more.",
    fix: "Remove the element, or write what was meant after the dash.",
  },
  "scalar-for-list": {
    severity: "warning",
    title: "A single value where a list belongs",
    why: "Old files are read like this, but the servers' own tools of 7.x refuse it.",
    fix: "Put brackets around it: [VALUE].",
  },
  "null-entry": {
    severity: "warning",
    title: "An entry or family is empty",
    why: "Nothing below a family could mean that all its entries are to be deleted; an entry without fields grants nothing.",
    fix: "Write {} if that is meant (roles: {}), write what is missing, or remove the line.",
  },
  "mixed-format": {
    severity: "warning",
    title: "Formats of two versions are mixed",
    why: "gate-sync reads both, but the servers' own tools refuse such a file.",
    fix: "Use the names of one version, such as cluster_permissions instead of cluster.",
  },
  "missing-field": {
    severity: "error",
    title: "A field is missing",
    why: "Without it the entry means nothing, or servers refuse it.",
    fix: "Add the field that the message names.",
  },
  "exclusive-fields": {
    severity: "error",
    title: "Fields exclude each other",
    why: "It would be a guess which of them counts.",
    fix: "Keep one of them.",
  },
  "retired-field": {
    severity: "error",
    title: "A field was retired",
    why: "Servers of this line do not know it any more, and refuse the entry.",
    fix: "Remove it.",
  },
  // Values
  "bad-block-value": {
    severity: "error",
    title: "The value of a block does not fit its type",
    why: "The server stores it, and it matches no one: disallow then blocks no one, allow lets no one in.",
    fix: "ip takes an address (192.0.2.7), net_mask a network (192.0.2.0/24), name a user name.",
  },
  "bad-masked-field": {
    severity: "error",
    title: "A masking expression is not valid",
    why: "The server refuses the whole role.",
    fix: "Write FIELD, FIELD::SHA-512 (or another digest), or FIELD::/REGEX/::REPLACEMENT.",
  },
  "several-block-values": {
    severity: "error",
    title: "A block has more values than the product takes",
    why: "Only the first could be sent.",
    fix: "Write one block for each value.",
  },
  "incomplete-block": {
    severity: "warning",
    title: "A block lacks type, value or verdict",
    why: "It does nothing, or makes the server fail on its next reload.",
    fix: "Add what is missing: { type: ip, value: 192.0.2.7, verdict: disallow }.",
  },
  "incomplete-mapping": {
    severity: "warning",
    title: "A role mapping has no members",
    why: "It grants nothing, and the server refuses a new mapping without any list of members.",
    fix: "Add users, backend_roles or hosts; an empty list will do. Or remove the mapping.",
  },
  "incomplete-action-group": {
    severity: "warning",
    title: "An action group lacks its list or type",
    why: "It grants nothing, and servers refuse it.",
    fix: "Add allowed_actions: [] or, where the message asks for it, type:.",
  },
  "incomplete-index-permission": {
    severity: "warning",
    title: "An index permission grants nothing",
    why: "It needs both index_patterns and allowed_actions.",
    fix: "Add the missing one, or remove the element.",
  },
  "dls-not-json": {
    severity: "warning",
    title: "A document-level query is not JSON",
    why: "The server stores it, and then every search on these indices fails.",
    fix: 'Check braces and quotes. A query is one JSON object in single quotes: \'{"term": {"dept": "hr"}}\'.',
  },
  "suspicious-action": {
    severity: "warning",
    title: "No action has such a name",
    why: "The server takes the text as it is, and it grants nothing.",
    fix: "Correct the name; look at quotes and commas, too.",
  },
  "question-mark-pattern": {
    severity: "warning",
    title: "A pattern begins with a question mark",
    why: "? matches any one character, so ?kibana matches more than the index .kibana.",
    fix: "Write a dot, if the index with the dot is meant: .kibana.",
  },
  "document-types": {
    severity: "warning",
    title: "Permissions per document type are united",
    why: "Servers from 7 on have no document types: each type would get what any of them has.",
    fix: "Check that no one sees more than you mean, and write * instead of the types.",
  },
  "spaces-around-name": {
    severity: "warning",
    title: "A name begins or ends with a space",
    why: "The space is part of the name: it matches only names that have it.",
    fix: "Remove the space.",
  },
  "joined-items": {
    severity: "warning",
    title: "Items of a list are read as one",
    why: "An item that is indented more than the one above it is read as more of its text, which then names nothing.",
    fix: "Indent all items of the list alike.",
  },
  "broken-variable": {
    severity: "warning",
    title: "A variable lacks its braces",
    why: "The server takes $user.name as it is, and it matches nothing.",
    fix: "Write ${user.name}.",
  },
  // Waivers
  "expired-waiver": {
    severity: "warning",
    title: "A waiver has expired",
    why: "It waives nothing any more, so the guard refuses again.",
    fix: "Remove the waiver, or give it another date: until: YYYY-MM-DD.",
  },
  "unused-waiver": {
    severity: "warning",
    title: "A waiver waives nothing",
    why: "What it was for is done. If it stays, it waives a later accident.",
    fix: "Remove it, or move it to a state file of the target that it is meant for.",
  },
  // Access tests
  "bad-access-test": {
    severity: "error",
    title: "An access test asks what cannot be asked",
    why: "It has no answer: an unknown persona or action, or fields that do not fit together.",
    fix: "Correct the test as the message says; gate-sync explain access-tests shows complete ones.",
  },
  "doubtful-access-test": {
    severity: "warning",
    title: "An access test names what looks misspelt",
    why: "What does not exist is always denied, so expect: denied would pass for the wrong reason.",
    fix: "Correct the name.",
  },
  "failed-access-test": {
    severity: "error",
    title: "An access test fails",
    why: "The files grant or deny something else than the test expects. plan and apply refuse it (guard access-tests).",
    fix: "Run gate-sync test: it shows which mapping and role do it. Change these, or a test that is no longer meant.",
  },
  // Cross-references, and what servers take
  "action-group-cycle": {
    severity: "warning",
    title: "Action groups contain each other",
    why: "Some servers refuse it, others fail on every later request once a role uses one of the groups.",
    fix: "Remove one group from another; the message names a pair.",
  },
  "server-owned": {
    severity: "warning",
    title: "An entry that belongs to the server is declared",
    why: "gate-sync never writes an entry that is marked reserved, hidden, static or readonly.",
    fix: "Nothing, if it came with the product. To have your own, copy it to another name without these marks.",
  },
  "reserved-differs": {
    severity: "error",
    title: "A reserved resource is declared differently",
    why: "The server refuses every write to it.",
    fix: "Declare it under another name, or remove the declaration; reserved: true says that it is the server's.",
  },
  "refused-by-server": {
    severity: "error",
    title: "The server refuses what is declared",
    why: "It answered a write with an error; nothing of that request was stored.",
    fix: "Correct the field that the message names, check product and release of the target, and run apply again.",
  },
  "unsupported-here": {
    severity: "error",
    title: "The product cannot hold what is declared",
    why: "The server would refuse it, or would store something else.",
    fix: "Remove it, keep the file out of state: of this target, or correct product: and release:.",
  },
} as const;
