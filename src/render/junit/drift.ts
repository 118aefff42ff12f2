import { padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import type { ApiKeyView, DifferenceView, DriftFamilyView, DriftView } from "../views/drift.ts";
import { renderSuites, type SuiteCase } from "./suites.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/**
 * Drift as JUnit XML, which CI servers show as tests: a suite for each family, and in it a case for each resource
 * that differs, or one where none does. A case fails where the server changed or the origin is unknown, passes where
 * only git changed, and is skipped where the family is only observed. No newline at its end.
 */
export function renderDriftJunit({ target, baseline, families, apiKeys = [] }: DriftView): string {
  const ofFamilies = families.map((family) => ({
    name: family.family,
    cases: listCases(family),
    note: `${baseline} In sync: ${family.inSync}.`,
  }));
  const ofKeys = { name: "api_keys", cases: apiKeys.map(toKeyCase) };
  return renderSuites(`gate-sync drift ${target.name}`, [...ofFamilies, ...(apiKeys.length > 0 ? [ofKeys] : [])]);
}

function toKeyCase({ name, what, sentence, isDrift }: ApiKeyView): SuiteCase {
  const attributes = { classname: "drift.api_keys", name };
  const text = sentence;
  if (!isDrift) return { result: "passed", attributes, detail: { text } };
  return { result: "failed", attributes, detail: { type: "unnamed", message: what, text } };
}

function listCases({ family, differences, hasUnknownPasswords }: DriftFamilyView): readonly SuiteCase[] {
  if (differences.length > 0) return differences.map(toCase);
  const name = hasUnknownPasswords ? `${family} in sync but for passwords` : `${family} in sync`;
  return [{ result: "passed", attributes: { classname: `drift.${family}`, name } }];
}

function toCase(view: DifferenceView): SuiteCase {
  const { family, address, declaredAt, whoMoved, difference, counts, moved, isDrift } = view;
  const attributes = { classname: `drift.${family}`, name: address, ...declaredAt };
  const message = `${whoMoved}: ${difference}`;
  const text = [message, ...detailsOf(view)].join("\n");
  if (!counts) return { result: "skipped", attributes, detail: { message, text } };
  if (!isDrift) return { result: "passed", attributes, detail: { text } };
  return { result: "failed", attributes, detail: { type: moved, message, text } };
}

function detailsOf(view: DifferenceView): readonly string[] {
  const rows = createChangeRows(view, 2, style).map(({ indent, label, sign, text }) =>
    `${padSpaces(indent)}${label}${sign === undefined ? "" : `${sign} `}${text}`.trimEnd(),
  );
  return view.declaredBy === "" ? rows : [view.declaredBy, ...rows];
}
