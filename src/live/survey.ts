import { type Message, RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Answered, Caller, FamilyFinding } from "../model/doctor.ts";
import type { LiveState } from "../model/live.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import { type CallerSeen, getRightsTo } from "./caller.ts";
import { isNoRoute } from "./detect/routes.ts";
import { readState } from "./read.ts";

/** What a GET of one family found; `userMessage` says why it found nothing. */
export interface SurveyResult {
  readonly family: Family;
  readonly state: FamilyFinding["state"];
  readonly live?: LiveState;
  readonly userMessage?: Message;
  /** It was refused because of who we are, and for no other reason. */
  readonly forbidden: boolean;
}

/** One GET for each family, none of which keeps another from being read. The reader must remember its answers. */
export function surveyFamilies(
  reader: ReadPort,
  dialect: Dialect,
  families: readonly Family[],
): Promise<readonly SurveyResult[]> {
  return Promise.all(families.map((family) => seen(reader, dialect, family)));
}

async function seen(reader: ReadPort, dialect: Dialect, family: Family): Promise<SurveyResult> {
  const path = pathOf(dialect, family);
  if (path === undefined) return { family, state: "absent", forbidden: false };
  try {
    const live = await readState(reader, dialect, { needed: [family], reference: [] });
    return { family, state: "readable", live, forbidden: false };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const answer = await reader.get(path).catch(() => undefined);
    if (answer && isNoRoute(answer)) return { family, state: "absent", forbidden: false };
    return { family, state: "unreadable", userMessage: error.userMessage, forbidden: answer?.status === 403 };
  }
}

function pathOf({ prefix, collections, config, license }: Dialect, family: Family): string | undefined {
  const segment = family === "config" ? config.path : family === "license" ? license?.path : collections[family];
  return segment === undefined ? undefined : `${prefix}/${segment}`;
}

/**
 * Whether we come with an administrator's certificate. Search Guard 6 and 7 do not say it of one: they know no role of
 * it that may use the API, and answer all the same.
 */
export function isAdminCertificate(
  { isAdmin, principal, rights }: CallerSeen,
  { product }: Dialect,
  isLetIn: boolean,
): Answered {
  if (isAdmin !== undefined) return isAdmin ? "yes" : "no";
  if (product !== "search-guard" || !rights) return "unknown";
  return principal !== undefined && isLetIn && !rights.byRole ? "yes" : "no";
}

/** What was read, and what the identity may do there: what was read counts more than what the server says of it. */
export function createFamilyFinding(
  { family, state, live, userMessage, forbidden }: SurveyResult,
  dialect: Dialect,
  caller: Pick<Caller, "adminCertificate">,
  rights: CallerSeen["rights"],
): FamilyFinding {
  const count = isResourceFamily(family) ? live?.resources.get(family)?.size : undefined;
  const why = userMessage && [userMessage.what, userMessage.why].filter(Boolean).join(" ");
  const explained = caller.adminCertificate === "yes" ? everything : rights && getRightsTo(rights, dialect, family);
  const isRead = state === "readable";
  const may = {
    read: isRead ? "yes" : forbidden ? "no" : (explained?.read ?? "unknown"),
    // Let in, though by no role: by what else, and how far, it does not say.
    write: isRead && rights?.byRole === false && explained?.read === "no" ? "unknown" : (explained?.write ?? "unknown"),
  } as const;
  return {
    family,
    state,
    ...(count !== undefined && { count }),
    ...(why !== undefined && { why }),
    ...(state === "absent" ? nothing : may),
  };
}

const everything = { read: "yes", write: "yes" } as const;
const nothing = { read: "no", write: "no" } as const;
