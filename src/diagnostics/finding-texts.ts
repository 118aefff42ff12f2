/** What a report says at a line of a file though it is no mistake there: what a plan does, and what a cluster has become. */
export const findingTexts = {
  "access-gained": {
    title: "A principal gains access",
    why: "This change lets principals do what they could not do before.",
    fix: "Nothing if this is meant. gate-sync plan names who gains what, and by which role.",
  },
  "access-may-be-gained": {
    title: "A principal may gain access",
    why: "Whether this change lets principals do more depends on what only the server or the request knows.",
    fix: "gate-sync plan says what it depends on; gate-sync access can-i answers for one user with its roles.",
  },
  "drifted-entry": {
    title: "The cluster is not as it is declared",
    why: "It was changed by hand, or the origin of the difference is unknown.",
    fix: "Declare what the cluster has, or have gate-sync apply put it back.",
  },
} as const satisfies Readonly<Record<string, FindingText>>;

/** What `gate-sync explain` and reports say of a kind of finding. */
export interface FindingText {
  /** What is found, without a full stop. */
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}
