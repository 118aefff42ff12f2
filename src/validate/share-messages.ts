import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { getNoun } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { TeamShare } from "../model/share.ts";

type ShareList = "names" | "index_patterns" | "cluster_permissions" | "action_groups";

/**
 * @param what without the team: `The role "x" is declared here`
 * @param list of the share, in which it would have to be; absent where it can be in none
 * @param added what would have to be in that list
 */
export function createOutsideMessage(
  place: SourceRange,
  share: TeamShare,
  what: string,
  list?: ShareList,
  added: readonly string[] = ["it"],
): Diagnostic {
  return createDiagnostic(place, "outside-share", {
    what: `${what}, which is outside of the share of team ${share.team}.`,
    why: "This file is the team's by owners of gate-sync.yaml: a review by the team alone would change what is of others.",
    fix: `Move it to a file without an owner${list ? `, or add ${showSome(added)} to ${list} of the team in gate-sync.yaml` : ""}.`,
    related: [{ range: share.place, what: `the share of team ${share.team}` }],
  });
}

const mostShown = 5;

function showSome(names: readonly string[]): string {
  const left = names.length - mostShown;
  return left > 1 ? `${names.slice(0, mostShown).join(", ")} and ${left} more` : names.join(", ");
}

/** What concerns the whole cluster is in no share. */
export function createClusterMessage(place: SourceRange, share: TeamShare, what: string): Diagnostic {
  return createDiagnostic(place, "outside-share", {
    what: `${what}, and this file is of team ${share.team}.`,
    why: "It concerns the whole cluster, which is the share of no team.",
    fix: "Move it to a file without an owner.",
    related: [{ range: share.place, what: `the share of team ${share.team}` }],
  });
}

/** A family is managed once a file declares it. */
export function createBeginningMessage(place: SourceRange, share: TeamShare, family: ResourceFamily): Diagnostic {
  const several = getNoun(family, 2);
  return createDiagnostic(place, "outside-share", {
    what: `Only files of teams declare ${several}, this one of team ${share.team} among them.`,
    why: `By that ${several} are managed: those of all others on the cluster would be deleted, which is for no team to decide.`,
    fix: `Declare them in a file without an owner, if only as \`${family}: {}\`; or set mode: adopt for them, by which nothing is deleted.`,
    related: [{ range: share.place, what: `the share of team ${share.team}` }],
  });
}
