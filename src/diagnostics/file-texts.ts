/** Codes of files as a whole, of YAML, and of what files refer to. */
export const fileTexts = {
  // Files
  "unreadable-file": {
    severity: "error",
    title: "A file cannot be read",
    why: "What it declares is unknown, so the run stops.",
    fix: "Make it readable (chmod u+r FILE), or move it out of the state folder.",
  },
  "outside-repository": {
    severity: "error",
    title: "A file leads out of the repository",
    why: "Anyone who may change the repository could show files of this machine in a plan, or write them to the cluster.",
    fix: "Put a copy into the repository, or name the path on the command line: gate-sync plan ../FILE.",
  },
  "missing-state": {
    severity: "error",
    title: "A state path matches no file",
    why: "What it was meant to hold would count as no longer declared, and would be deleted.",
    fix: "Correct the path: on the command line, or under state: in gate-sync.yaml.",
  },
  "file-too-large": {
    severity: "error",
    title: "A file is larger than the limit",
    why: "A state file of that size is most probably something else.",
    fix: "Split it into several files, or move it out of the state folder.",
  },
  "invalid-utf8": {
    severity: "error",
    title: "A file is not valid UTF-8",
    why: "Names and patterns would reach the server as other characters than you see.",
    fix: "Save the file as UTF-8: iconv -f latin1 -t utf8 OLD > NEW.",
  },
  "symlink-loop": {
    severity: "error",
    title: "Symbolic links form a loop",
    why: "Following them would never end.",
    fix: "Remove the link, or point it at a folder that does not hold it.",
  },
  "unread-file": {
    severity: "warning",
    title: "A file in a state folder is read by nothing",
    why: "It looks like a state file, but its ending is not .yml, .yaml or .json: what it declares reaches no server.",
    fix: "Rename it so that it ends in .yml, render it if it is a template, or move it out of the state folder.",
  },
  "unknown-family": {
    severity: "error",
    title: "The family of a file is unknown",
    why: "Nothing says whether its entries are roles, role mappings or something else, so none of them is used.",
    fix: "Put the entries under a family key, such as roles: or role_mappings:.",
  },
  "mixed-families": {
    severity: "error",
    title: "A file mixes the shapes of several families",
    why: "An entry could be read as one family or another; a guess could delete the rest of a family.",
    fix: "Put all entries under family keys: roles: { ... } and role_mappings: { ... }.",
  },
  "meta-mismatch": {
    severity: "warning",
    title: "The header of a file contradicts its name",
    why: "gate-sync and the servers' own tools go by the header (_meta, _sg_meta); a reader goes by the name.",
    fix: "Correct the type: in the header, or rename the file.",
  },
  "misspelt-file-name": {
    severity: "warning",
    title: "The name of a file is nearly one that products use",
    why: "gate-sync goes by the content, but the servers' own tools go by the name and do not read this file.",
    fix: "Rename it as the message says, or put its entries under a family key, where the name does not matter.",
  },
  "foreign-product": {
    severity: "error",
    title: "A file belongs to another product or program",
    why: "It declares nothing that gate-sync manages, although it is where state is.",
    fix: "Move it out of the state folder, or take it out of state: in gate-sync.yaml.",
  },
  "unmatched-name": {
    severity: "warning",
    title: "A name in gate-sync.yaml matches nothing",
    why: "What it is to protect or to exclude, or who it is to be, is neither declared nor on the server.",
    fix: "Correct the name. A pattern (ops_*) may match nothing: it may be for entries that are yet to come.",
  },
  // YAML
  syntax: {
    severity: "error",
    title: "A file is not valid YAML or JSON",
    why: "No part of it can be trusted, so nothing of it is used.",
    fix: "Check brackets, quotes, colons and indentation at the place that is shown and on the line before it.",
  },
  "tab-indentation": {
    severity: "error",
    title: "A tab is used for indentation",
    why: "YAML allows only spaces there.",
    fix: "Replace the tabs at the beginning of the line by spaces: expand -t 2 OLD > NEW.",
  },
  "duplicate-key": {
    severity: "error",
    title: "A key is twice in one map",
    why: "Readers differ on which of the two counts. Often a wrongly indented entry looks like this.",
    fix: "Remove one of the two, or correct the indentation of the lines between them.",
  },
  "alias-bomb": {
    severity: "error",
    title: "Aliases expand beyond reason",
    why: "Aliases of aliases multiply, and could fill the memory of whatever reads the file.",
    fix: "Write out what is meant instead of nesting aliases.",
  },
  "unknown-tag": {
    severity: "error",
    title: "A YAML tag has no meaning here",
    why: "What it means to another tool would be lost, and the bare text sent instead.",
    fix: "Write the value itself, or a reference: ${var:NAME}, ${env:NAME} or ${file:PATH}.",
  },
  "rendered-template": {
    severity: "error",
    title: "A template was never rendered",
    why: "Its placeholders would reach the server as they are.",
    fix: "Render it first and name the result under state:, or use ${var:NAME} with vars: of the target.",
  },
  "key-not-text": {
    severity: "error",
    title: "A key is missing, or is not a string",
    why: "Every entry needs a name, so nothing under this key can be read.",
    fix: "Write a name before the colon; put quotes around a placeholder such as {{ ... }}, or render it first.",
  },
  // Names
  "duplicate-name": {
    severity: "error",
    title: "A resource, persona or access test is declared twice",
    why: "Which of the two counts would depend on the order of the files.",
    fix: "Keep one of them; the message names the place of the other.",
  },
  "unknown-target": {
    severity: "error",
    title: "A target is named that gate-sync.yaml does not have",
    why: "gate-sync does not guess which cluster is meant.",
    fix: "Correct default_target:, or add the target under targets: in gate-sync.yaml.",
  },
  "bad-name": {
    severity: "error",
    title: "A name cannot be used",
    why: "Names are part of the path of a request: an empty one would name something else.",
    fix: "Give the entry a name.",
  },
  "out-of-scope": {
    severity: "error",
    title: "A declared resource is outside the scope",
    why: "include and exclude in gate-sync.yaml leave this name to another owner: it would never be written.",
    fix: "Change families.NAME.include or .exclude in gate-sync.yaml, or remove the declaration.",
  },
  // References
  "unknown-variable": {
    severity: "error",
    title: "A variable is not defined",
    why: "Without its value the text is incomplete.",
    fix: "Add it under vars: of the target in gate-sync.yaml, give --var NAME=VALUE, or write a default: ${var:NAME:-default}.",
  },
  "variable-type": {
    severity: "error",
    title: "A variable that is a list or a map is a part of a text",
    why: "Only a whole value can be a list or a map.",
    fix: "Refer to a variable that is a text, a number or a boolean, or to one value of a map: ${var:NAME.KEY}.",
  },
  "large-variables": {
    severity: "error",
    title: "Variables expand beyond reason",
    why: "Variables of variables multiply, and could fill the memory of whatever reads the file.",
    fix: "Refer to fewer lists of lists, or write out what is meant.",
  },
  "vendor-variable": {
    severity: "error",
    title: "A variable of another tool is not replaced here",
    why: "The server would store ${env.NAME} and the like as they are.",
    fix: "Write ${env:NAME} for a secret, or ${var:NAME} with its value under vars: in gate-sync.yaml.",
  },
  "secret-in-name": {
    severity: "error",
    title: "A secret is in a name or pattern",
    why: "Names and patterns are shown in plans, logs and addresses.",
    fix: "Use ${var:NAME} with vars: of the target, which are public.",
  },
  "misplaced-secret": {
    severity: "error",
    title: "A secret is in a field that holds none",
    why: "The server would store its value as plain text, and show it.",
    fix: "Use ${var:NAME} with vars: of the target, if the value is public.",
  },
  "unset-secret": {
    severity: "error",
    title: "A secret has no value",
    why: "The environment variable is not set, or the file cannot be read, where gate-sync runs.",
    fix: "Set it (export NAME=...), or create the file; paths are relative to the file that names them.",
  },
} as const;
