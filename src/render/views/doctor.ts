import type { Message } from "../../diagnostics/failure.ts";
import { getNoun } from "../../families/index.ts";
import type { Caller, Diagnosis, FamilyFinding, LicenseFinding, WritableEndpoint } from "../../model/doctor.ts";
import { families as allFamilies, isResourceFamily, resourceFamilies } from "../../model/names.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { pluralise } from "./words.ts";

/** Everything that a format shows of a look at a server. Texts are fit to be shown. */
export interface DoctorView {
  readonly name: string;
  readonly url: string;
  /** `login`: `ci, by password; role admin`. Labels without sentences are left out. */
  readonly findings: readonly { readonly label: string; readonly sentences: readonly string[] }[];
  readonly notes: readonly string[];
  /** `Usable for plan and apply.` */
  readonly conclusion: string;
  /** What keeps it from being usable for both. */
  readonly problems: readonly Message[];
  /** As the model has it, for programs. */
  readonly diagnosis: Diagnosis;
}

export function createDoctorView(diagnosis: Diagnosis): DoctorView {
  const {
    target,
    caller,
    families,
    writableBesides,
    patch,
    configWrites,
    license,
    unloadable,
    usable,
    problems,
    notes,
  } = diagnosis;
  const { product, release, engine, how, clusterName, clusterUuid } = target.server;
  const findings: readonly (readonly [label: string, sentences: readonly string[]])[] = [
    ["server", [`${product} ${release}${engine === undefined ? "" : `, engine ${engine}`} (${how})`]],
    [
      "cluster",
      clusterName === undefined ? [] : [`${clusterName}${clusterUuid === undefined ? "" : ` (${clusterUuid})`}`],
    ],
    ["login", describeCaller(caller)],
    ["rights", [...describeRights(families, caller, writableBesides), ...describeBesides(writableBesides)]],
    ["resources", describeFamilies(families)],
    ["patch", describePatch(patch, families)],
    ["config", configWrites ? [`${writableWords[configWrites.on]} ${endSentence(configWrites.why)}`] : []],
    ["license", license ? [describeLicense(license)] : []],
    ["unloadable", unloadable.map(({ address, why }) => `${joinNames([address])}: ${why}`)],
  ];
  return {
    name: escapeInvisible(target.name),
    url: escapeInvisible(target.url),
    findings: findings
      .filter(([, sentences]) => sentences.length > 0)
      .map(([label, sentences]) => ({ label, sentences: sentences.map(escapeInvisible) })),
    notes: [...notes.map(escapeInvisible), ...describeExpiry(license)],
    conclusion: usable.apply
      ? "Usable for plan and apply."
      : usable.plan
        ? "Usable for plan, not for apply."
        : "Not usable.",
    problems,
    diagnosis,
  };
}

function describeCaller({ name, how, roles, adminCertificate, unanswered }: Caller): readonly string[] {
  const by = how === "no credentials" ? "without credentials" : `by ${how}`;
  const admin = adminCertificate === "yes" ? ", which is an administrator's" : "";
  const known = roles.length === 0 ? "" : `; ${roles.length === 1 ? "role" : "roles"} ${joinNames(roles)}`;
  return [
    `${name === undefined ? by : `${name}, ${by}`}${admin}${known}`,
    ...(unanswered === undefined ? [] : [unanswered]),
  ];
}

/** Families with the same rights in one sentence, so that most servers take one. */
function describeRights(
  families: readonly FamilyFinding[],
  { adminCertificate }: Caller,
  besides: readonly WritableEndpoint[],
): readonly string[] {
  if (adminCertificate === "yes")
    return ["read and write everything; gate-sync changes reserved entries only where the target says reserved: write"];
  const present = families.filter(({ state }) => state !== "absent");
  return [...new Set(present.map(formatRights))].map((right) => {
    const those = present.filter((finding) => formatRights(finding) === right);
    if (those.length < present.length || besides.length > 0)
      return `${right}: ${those.map(({ family }) => getNoun(family, 2)).join(", ")}`;
    return right === "read and write" ? `${right} everything except reserved entries` : `${right}: everything`;
  });
}

function describeBesides(endpoints: readonly WritableEndpoint[]): readonly string[] {
  const families = allFamilies.filter((family) => endpoints.some((endpoint) => endpoint.family === family));
  const others = endpoints.flatMap(({ name, family }) => (family ? [] : [name]));
  return endpoints.length === 0
    ? []
    : [`may write all the same: ${[...families.map((family) => getNoun(family, 2)), ...others].join(", ")}`];
}

function formatRights({ read, write }: FamilyFinding): string {
  if (read !== "yes") return read === "no" ? "neither read nor write" : "unknown";
  if (write === "yes") return "read and write";
  return write === "no" ? "read only" : "read, and whether also write is unknown until apply";
}

function describeFamilies(families: readonly FamilyFinding[]): readonly string[] {
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

function describePatch({ families, test }: Diagnosis["patch"], all: readonly FamilyFinding[]): readonly string[] {
  const present = resourceFamilies.filter((family) =>
    all.some((one) => one.family === family && one.state !== "absent"),
  );
  const without = present.filter((family) => !families.includes(family));
  if (present.length === 0) return [];
  if (families.length === 0) return ["not supported: entries are written one by one"];
  const but = without.length === 0 ? "" : `, but not of ${without.map((family) => getNoun(family, 2)).join(", ")}`;
  return [`supported${but}, ${test ? "with" : "without"} test operations`];
}

const writableWords = {
  yes: "The API may change it.",
  no: "The API cannot change it.",
  unknown: "Whether the API may change it is unknown until apply.",
} as const;

function describeLicense({ installed, type, daysLeft, valid, why }: LicenseFinding): string {
  if (!installed) return why ?? "none installed";
  const kind = type?.toLowerCase() ?? "installed";
  const left = daysLeft === undefined ? "" : daysLeft < 0 ? ", expired" : `, ${pluralise(daysLeft, "day")} left`;
  return `${kind}${left}${valid === false ? ", not valid" : ""}`;
}

/** In days. */
const soon = 30;

function describeExpiry({ daysLeft }: Partial<LicenseFinding> = {}): readonly string[] {
  if (daysLeft === undefined || daysLeft >= soon) return [];
  return [`The license ${daysLeft < 0 ? "has expired" : "ends soon"}.`];
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
