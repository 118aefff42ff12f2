import { getNoun } from "../../families/index.ts";
import type { Caller, Diagnosis, FamilyFinding, LicenseFinding } from "../../model/doctor.ts";
import { isResourceFamily, resourceFamilies } from "../../model/names.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { joinLines, padEnd, wrap, wrapLabelled } from "../layout.ts";
import type { Style } from "../style.ts";
import { pluralise } from "../views/words.ts";
import { paint } from "./ansi.ts";

const column = 11;

/** A few lines for each question, each question at the start of its line. No newline at the end. */
export function renderDiagnosisText(diagnosis: Diagnosis, style: Style): string {
  const { target, caller, families, patch, configWrites, license, unloadable, notes } = diagnosis;
  const { name, url, server } = target;
  const rows: readonly (readonly [label: string, sentences: readonly string[]])[] = [
    ["server", serverWords(diagnosis)],
    ["cluster", server.clusterName === undefined ? [] : [clusterWords(server.clusterName, server.clusterUuid)]],
    ["who", whoWords(caller)],
    ["may", rightWords(families, caller)],
    ["families", familyWords(families)],
    ["patch", patchWords(patch, families)],
    ["config", configWrites ? [`${writableWords[configWrites.on]} ${sentence(configWrites.why)}`] : []],
    ["license", license ? [licenseWords(license)] : []],
    ["unloadable", unloadable.map(({ address, why }) => `${joinNames([address])}: ${why}`)],
  ];
  return joinLines([
    `${paint(escapeInvisible(name), "strong", style)}  ${escapeInvisible(url)}`,
    "",
    ...rows.flatMap(([label, sentences]) => rowLines(label, sentences, style)),
    ...noteLines(notes, license, style),
    "",
    ...endLines(diagnosis, style),
  ]);
}

function rowLines(label: string, sentences: readonly string[], style: Style): readonly string[] {
  return sentences.flatMap((sentence, at) => {
    const lead = at === 0 ? paint(padEnd(label, column), "faint", style) : "";
    return wrapLabelled(lead, escapeInvisible(sentence), column, style.width);
  });
}

function serverWords({ target: { server } }: Diagnosis): readonly string[] {
  const engine = server.engine === undefined ? "" : `, engine ${server.engine}`;
  return [`${server.product} ${server.release}${engine} (${server.how})`];
}

function clusterWords(name: string, uuid: string | undefined): string {
  return uuid === undefined ? name : `${name} (${uuid})`;
}

function whoWords({ name, how, roles, adminCertificate, unanswered }: Caller): readonly string[] {
  const by = how === "no credentials" ? how : `by ${how}`;
  const admin = adminCertificate === "yes" ? ", which is an administrator's" : "";
  const known = roles.length === 0 ? "" : `; ${roles.length === 1 ? "role" : "roles"} ${joinNames(roles)}`;
  return [
    `${name === undefined ? by : `${name}, ${by}`}${admin}${known}`,
    ...(unanswered === undefined ? [] : [unanswered]),
  ];
}

/** Families with the same rights in one sentence, so that most servers take one. */
function rightWords(families: readonly FamilyFinding[], { adminCertificate }: Caller): readonly string[] {
  if (adminCertificate === "yes")
    return ["read and write everything; gate-sync leaves alone what is reserved all the same"];
  const present = families.filter(({ state }) => state !== "absent");
  return [...new Set(present.map(rightsOf))].map((right) => {
    const those = present.filter((finding) => rightsOf(finding) === right);
    if (those.length < present.length) return `${right} ${those.map(({ family }) => getNoun(family, 2)).join(", ")}`;
    if (right === "not read") return "not read anything";
    return `${right} everything${right === "read and write" ? " but what is reserved" : ""}`;
  });
}

function rightsOf({ read, write }: FamilyFinding): string {
  if (read !== "yes") return read === "no" ? "not read" : "perhaps read";
  if (write === "yes") return "read and write";
  return write === "no" ? "only read" : "read and perhaps write";
}

function familyWords(families: readonly FamilyFinding[]): readonly string[] {
  const read = families.flatMap(({ family, count }) =>
    count === undefined ? [] : [`${count} ${getNoun(family, count)}`],
  );
  const absent = families.filter(({ family, state }) => state === "absent" && isResourceFamily(family));
  // A family that may not be read was reported; other reasons were not.
  const unread = families.filter(({ state, read }) => state === "unreadable" && read !== "no");
  return [
    ...(read.length === 0 ? [] : [read.join(", ")]),
    ...(absent.length === 0
      ? []
      : [`no ${absent.map(({ family }) => getNoun(family, 2)).join(", no ")}: not on this server`]),
    ...unread.map(({ family, why = "" }) => `${getNoun(family, 2)}: ${why}`),
  ];
}

function patchWords({ families, test }: Diagnosis["patch"], all: readonly FamilyFinding[]): readonly string[] {
  const present = resourceFamilies.filter((family) =>
    all.some((one) => one.family === family && one.state !== "absent"),
  );
  const without = present.filter((family) => !families.includes(family));
  if (present.length === 0) return [];
  if (families.length === 0) return ["no: entries are written one by one"];
  const but = without.length === 0 ? "" : `, but not of ${without.map((family) => getNoun(family, 2)).join(", ")}`;
  return [`yes${but}, ${test ? "with" : "without"} test`];
}

const writableWords = {
  yes: "writable by the API.",
  no: "not writable by the API.",
  unknown: "unknown until tried.",
} as const;

const soon = 30;

function licenseWords({ installed, type, daysLeft, valid, why }: LicenseFinding): string {
  if (!installed) return why ?? "none installed";
  const kind = type?.toLowerCase() ?? "installed";
  const left = daysLeft === undefined ? "" : daysLeft < 0 ? ", expired" : `, ${pluralise(daysLeft, "day")} left`;
  return `${kind}${left}${valid === false ? ", not valid" : ""}`;
}

function noteLines(notes: readonly string[], license: LicenseFinding | undefined, style: Style): readonly string[] {
  const ends = license?.daysLeft !== undefined && license.daysLeft < soon;
  const all = ends ? [...notes, `The license ${license.daysLeft < 0 ? "has expired" : "ends soon"}.`] : notes;
  return all.flatMap((note) => wrap(`note: ${escapeInvisible(note)}`, style.width, 6));
}

function endLines({ usable }: Diagnosis, style: Style): readonly string[] {
  const sentence = usable.apply
    ? "Usable for plan and apply."
    : usable.plan
      ? "Usable for plan, not for apply."
      : "Not usable.";
  return [paint(sentence, "strong", style)];
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
