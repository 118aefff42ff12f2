import type { FindingText } from "../../diagnostics/finding-texts.ts";
import type { SourceFile } from "../../diagnostics/source.ts";
import { groupItems } from "../../json/collections.ts";
import type { Json, JsonObject } from "../../json/value.ts";
import { version } from "../../model/version.ts";
import { escapeInvisible } from "../escape.ts";
import { type FindingPlace, type ForgePlaces, placeFinding, placeIn } from "../views/finding-place.ts";
import type { FindingLevel, ReviewFinding } from "../views/findings.ts";
import { createLineHasher } from "./line-hash.ts";

/** What a run found, and what it was. */
export interface FindingsRun {
  readonly command: string;
  readonly target: string;
  readonly findings: readonly ReviewFinding[];
  readonly places: ForgePlaces;
  /** What `gate-sync explain` says of a rule. */
  readonly rules: ReadonlyMap<string, FindingText>;
  /** Why the run ended early; absent where it did not. */
  readonly failure?: readonly string[];
}

/** Code scanning of GitHub keeps no more of a run. */
const mostResults = 5_000;

/**
 * SARIF 2.1.0 (OASIS) as GitHub's code scanning takes it: one result for each rule and line, which names all that was
 * found there, as it merges results of one line; every result at a single line, as it shows those of a pull request only
 * where all their lines are part of it; the worst first, as it cuts long lists.
 */
export function renderSarif({ command, target, findings, places, rules, failure }: FindingsRun): JsonObject {
  const merged = mergeByLine(findings, places);
  const shown = merged.slice(0, mostResults);
  const used = [...new Set(shown.map(({ rule }) => rule))].sort();
  const hashers = new Map<SourceFile, (line: number) => string>();
  const hasherOf = (file: SourceFile) => {
    const known = hashers.get(file) ?? createLineHasher(file);
    hashers.set(file, known);
    return known;
  };
  const left = merged.length - shown.length;
  const notifications = [
    ...(failure ? [{ level: "error", message: writeMessage(escapeInvisible(failure.join(" "))) }] : []),
    ...(left > 0
      ? [{ level: "note", message: { text: `${left} more results are left out, the least grave ones.` } }]
      : []),
  ];
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "gate-sync", semanticVersion: version, rules: used.map((rule) => ruleJson(rule, rules)) },
        },
        automationDetails: { id: `gate-sync/${command}/${target}/` },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: failure === undefined, toolExecutionNotifications: notifications }],
        results: shown.map((result) => ({
          ruleId: result.rule,
          ruleIndex: used.indexOf(result.rule),
          level: result.level,
          message: writeMessage(result.text),
          locations: result.place ? [{ physicalLocation: locationJson(result.place) }] : [],
          ...relatedJson(result.related, places),
          ...fingerprintJson(result.place, hasherOf),
        })),
      },
    ],
  };
}

interface MergedFinding extends Pick<ReviewFinding, "rule" | "level" | "related"> {
  readonly text: string;
  readonly place: FindingPlace | undefined;
}

const gravity: Readonly<Record<FindingLevel, number>> = { error: 0, warning: 1, note: 2 };

function mergeByLine(findings: readonly ReviewFinding[], places: ForgePlaces): readonly MergedFinding[] {
  const placed = findings.map((finding) => ({ finding, place: placeFinding(finding, places) }));
  return groupItems(placed, ({ finding, place }) => JSON.stringify([finding.rule, place?.path, place?.line]))
    .map((some): MergedFinding => {
      const [{ finding, place }] = some;
      const texts = some.map((one) => one.finding.sentences.map(endSentence).join(" "));
      return {
        rule: finding.rule,
        level: some.map((one) => one.finding.level).sort((a, b) => gravity[a] - gravity[b])[0] ?? finding.level,
        text: [...new Set(texts)].join("\n"),
        related: some.flatMap((one) => one.finding.related),
        place,
      };
    })
    .sort((a, b) => gravity[a.level] - gravity[b.level]);
}

function endSentence(sentence: string): string {
  return /[.!?:]$/.test(sentence) ? sentence : `${sentence}.`;
}

function ruleJson(id: string, rules: ReadonlyMap<string, FindingText>): JsonObject {
  const { title, why, fix } = rules.get(id) ?? { title: id, why: "", fix: "" };
  const more = `gate-sync explain ${id} says this, too.`;
  return {
    id,
    shortDescription: writeMessage(title),
    fullDescription: writeMessage(`${endSentence(title)} ${why}`),
    help: {
      ...writeMessage(`${why} ${fix} ${more}`),
      markdown: escapeLinks(`${why}\n\n${fix}\n\n\`gate-sync explain ${id}\` says this, too.`),
    },
  };
}

function writeMessage(text: string): JsonObject {
  return { text: escapeLinks(text) };
}

/** In texts of SARIF, `[text](target)` is a link; a backslash before a bracket must not undo its escape. */
function escapeLinks(text: string): string {
  return text.replace(/\\*[[\]]/g, (characters) => characters.replace(/./g, "\\$&"));
}

function locationJson({ path, line, column, endColumn }: FindingPlace): JsonObject {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  const region: JsonObject =
    line === undefined
      ? { startLine: 1 }
      : { startLine: line, startColumn: column ?? 1, endLine: line, ...(endColumn !== undefined && { endColumn }) };
  return { artifactLocation: { uri, uriBaseId: "%SRCROOT%" }, region };
}

function relatedJson(related: ReviewFinding["related"], places: ForgePlaces): JsonObject {
  const located = related.flatMap(({ range, sentence }): Json[] => {
    const place = placeIn(range, undefined, places);
    return place ? [{ physicalLocation: locationJson(place), message: writeMessage(sentence) }] : [];
  });
  return located.length === 0 ? {} : { relatedLocations: located };
}

function fingerprintJson(
  place: FindingPlace | undefined,
  hasherOf: (file: SourceFile) => (line: number) => string,
): JsonObject {
  if (place?.file === undefined || place.line === undefined || place.file.text === "") return {};
  return { partialFingerprints: { primaryLocationLineHash: hasherOf(place.file)(place.line) } };
}
