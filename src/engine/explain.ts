import { type CatalogueEntry, catalogue, lintCodes, neverSilent } from "../diagnostics/catalogue.ts";
import { exitTexts } from "../diagnostics/exit-texts.ts";
import { RunError } from "../diagnostics/failure.ts";
import { findingTexts } from "../diagnostics/finding-texts.ts";
import { limitText } from "../diagnostics/limit-text.ts";
import { findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import { readGuides } from "../load/guides.ts";
import { listSchemaKeys, type SchemaKey } from "../load/schema-keys.ts";
import { type ReferenceEntry, type ReferenceGroup, referenceGroups } from "../model/reference.ts";
import { listGuards } from "../plan/guards/listed.ts";

/** The whole reference, group by group: what other modules say of themselves, and nothing that is written here. */
export function listReference(): readonly ReferenceEntry[] {
  const rules = new Set<string>(lintCodes);
  const [settings, state] = [listSchemaKeys("gate-sync"), listSchemaKeys("state")];
  return [
    ...Object.entries(catalogue).flatMap(([code, entry]) => (rules.has(code) ? [] : [explainCode(code, entry)])),
    ...Object.entries(findingTexts).map(([name, { title, why, fix }]) => ({
      group: "codes" as const,
      name,
      title,
      facts: { found_by: "plan and drift, for reports", why, fix },
    })),
    ...lintCodes.map((code) => explainRule(code, catalogue[code])),
    ...listGuards().map(explainGuard),
    ...Object.entries(exitTexts).map(([name, { title, ...facts }]) => ({
      group: "exits" as const,
      name,
      title,
      facts,
    })),
    // The keys of `lint:` are the rules.
    ...settings.filter(({ path }) => !/\blint\./.test(path)).map((key) => explainKey(key, "gate-sync.yaml")),
    ...state.map((key) => explainKey(key, "state files")),
    ...readGuides().map(({ topic, title, text }) => ({
      group: "topics" as const,
      name: topic,
      title,
      facts: {},
      guide: text,
    })),
  ];
}

function explainCode(code: string, entry: CatalogueEntry): ReferenceEntry {
  const { title, why, fix } = entry;
  return { group: "codes", name: code, title, facts: { ...explainSeverity(entry), why, fix } };
}

function explainSeverity({ severity, otherwise }: CatalogueEntry) {
  return { severity, ...(otherwise && { [severity === "error" ? "warning" : "error"]: otherwise }) };
}

function explainRule(code: string, entry: CatalogueEntry): ReferenceEntry {
  const { title, why, fix } = entry;
  const facts = {
    ...explainSeverity(entry),
    why,
    fix,
    ...(!neverSilent.has(code) && { silence: `# gate-sync-ignore ${code} REASON, at the end of the line` }),
    for_all: `lint: { ${code}: ${neverSilent.has(code) ? "warning" : "off"} } under defaults or a target of gate-sync.yaml`,
  };
  return { group: "rules", name: code, title, facts };
}

export function explainGuard(guard: ReturnType<typeof listGuards>[number]): ReferenceEntry {
  const { rule, refuses, why, fix, default: byDefault, set_by, allow } = guard;
  const waived = allow ? `by --allow ${allow} for one run, or by a waiver: gate-sync explain safety` : "by nothing";
  return { group: "guards", name: rule, title: refuses, facts: { why, fix, default: byDefault, set_by, waived } };
}

function explainKey({ path, description, byDefault, values, example }: SchemaKey, file: string): ReferenceEntry {
  const facts = {
    ...(values && { values: values.join(", ") }),
    ...(byDefault !== undefined && { default: byDefault }),
    ...(example !== undefined && { example }),
    in: file,
  };
  return { group: "keys", name: path, title: description, facts };
}

/** What a word names: a group, entries of that name, else keys whose dotted path ends in it. */
export function findEntries(reference: readonly ReferenceEntry[], word: string): readonly ReferenceEntry[] {
  if (isGroup(word)) return reference.filter(({ group }) => group === word);
  const named = reference.filter(({ name }) => name === word);
  if (named.length > 0) return named;
  const ending = reference.filter(({ name }) => name.endsWith(`.${word}`));
  if (ending.length > 0) return ending;
  // Every single character is near every digit.
  const near =
    word.trim().length < 2 ? undefined : findNearest(word, [...referenceGroups, ...reference.flatMap(wordsFor)]);
  throw new RunError("usage", {
    what: `gate-sync explains nothing called ${JSON.stringify(limitText(word))}.${formatSuggestion(near)}`,
    fix: `${near ? `Run gate-sync explain ${near}. ` : ""}gate-sync explain lists everything, gate-sync COMMAND --help the flags.`,
  });
}

function isGroup(word: string): word is ReferenceGroup {
  return (referenceGroups as readonly string[]).includes(word);
}

function wordsFor({ name }: ReferenceEntry): readonly string[] {
  return [name, name.slice(name.lastIndexOf(".") + 1)];
}
