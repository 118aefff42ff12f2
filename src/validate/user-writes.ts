// What servers would refuse, or take and then let nobody log in with, of internal users that are about to be written.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { findUserNameFault } from "../dialects/internal-users.ts";
import { findPasswordFault } from "../dialects/password-strength.ts";
import { getCredentials } from "../families/credentials.ts";
import { Secret } from "../json/secret.ts";
import type { Change } from "../model/change.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { isLoopback } from "../model/loopback.ts";
import { findMapEntry } from "../model/node.ts";
import type { Product } from "../model/plan.ts";
import type { Target } from "../model/target.ts";

/**
 * @param urls of the target
 * @param expression that passwords have to match, as the server shows it
 */
export function validateUserWrites(
  changes: readonly Change[],
  { resources }: DesiredState,
  urls: readonly string[],
  { product, internalUsers }: Pick<Dialect, "product" | "internalUsers">,
  expression?: string,
): readonly Diagnostic[] {
  const declared = resources.get("internal_users");
  return changes.flatMap((change) => {
    const user = change.family === "internal_users" ? declared?.get(change.name) : undefined;
    const isNew = change.action === "create";
    if (!user || !(isNew || (change.action === "update" && user.rotates))) return [];
    return [
      ...findCredentialProblems(user, urls),
      ...(internalUsers?.passwordRules !== undefined ? findRefusedPassword(user, expression) : []),
      ...(isNew ? findBadName(user, product) : []),
    ];
  });
}

/** All of a target. */
export function listTargetUrls({ url, otherUrls = [] }: Pick<Target, "url" | "otherUrls">): readonly string[] {
  return url === undefined ? otherUrls : [url, ...otherUrls];
}

function findCredentialProblems(user: DesiredResource, urls: readonly string[]): readonly Diagnostic[] {
  const { name, origin, value } = user;
  const [first] = Object.entries(getCredentials(value));
  if (!first) {
    return [
      createDiagnostic(origin, "user-without-password", {
        what: `The internal user ${JSON.stringify(name)} has neither hash nor password.`,
        why: "It would be created as a user that can never log in, or the server refuses it.",
        fix: `Write hash: with the hash that the vendor's hash.sh prints, or password: \${env:NAME}.`,
      }),
    ];
  }
  const [field, secret] = first;
  const place = placeOf(user, field);
  if (!(secret instanceof Secret)) return [];
  if (!secret.resolved) {
    return [
      createDiagnostic(place, "unset-secret", {
        what: `${secret.reference} has no value, and the ${field} of internal user ${JSON.stringify(name)} is to be written.`,
        why: "Without it the user could not log in.",
        fix: "Set it where gate-sync runs.",
      }),
    ];
  }
  if (field === "hash") return isBcrypt(secret.reveal()) ? [] : [createBadHashMessage(place, name, "error")];
  const open = urls.find(isOpenUrl);
  if (open === undefined) return [];
  return [
    createDiagnostic(place, "password-over-http", {
      what: `The password of internal user ${JSON.stringify(name)} would be sent to ${open} without TLS.`,
      why: "Everybody on the way could read it.",
      fix: "Use https:// for this target, or write hash: instead of password:.",
    }),
  ];
}

/** Nothing of the password is shown. */
function findRefusedPassword(
  { name, node, origin, value }: DesiredResource,
  expression: string | undefined,
): readonly Diagnostic[] {
  const { password } = value;
  const isKnown = password instanceof Secret && password.resolved;
  const fault = isKnown ? findPasswordFault(password.reveal(), name, expression) : undefined;
  if (fault === undefined) return [];
  const { what, fix, isCertain, setting } = fault;
  const decides =
    setting === undefined ? "" : `: plugins.security.restapi.${setting} of its nodes decides, which no API shows`;
  return [
    createDiagnostic(
      // A sign below the value would show how long it is.
      findMapEntry(node, "password")?.keyRange ?? origin,
      "refused-password",
      {
        what: `The password of internal user ${JSON.stringify(name)} ${what}.`,
        why: isCertain
          ? "OpenSearch refuses it, and all users of the same request with it."
          : `OpenSearch may refuse it${decides}. Requests before that one would be sent already.`,
        fix: `${fix} The rules are not for hash:.`,
      },
      isCertain ? "error" : "warning",
    ),
  ];
}

/** With a prefix that both products verify, and of the length that bcrypt has: anything else is stored and lets nobody in. */
export function isBcrypt(hash: string): boolean {
  return /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(hash);
}

export function createBadHashMessage(place: SourceRange, name: string, severity: "error" | "warning"): Diagnostic {
  return createDiagnostic(
    place,
    "bad-hash",
    {
      what: `The hash of internal user ${JSON.stringify(name)} is no bcrypt hash.`,
      why: "The server stores it, and nobody can log in as this user any more.",
      fix: "Write what the vendor's hash.sh prints, whole: $2y$ or $2a$ or $2b$, the cost, and 53 characters.",
    },
    severity,
  );
}

function findBadName({ name, origin }: DesiredResource, product: Product): readonly Diagnostic[] {
  const fault = findUserNameFault(name, product);
  if (fault === undefined) return [];
  return [
    createDiagnostic(origin, "bad-name", {
      what: `The name of internal user ${JSON.stringify(name)} has ${fault}.`,
      why:
        product === "opensearch"
          ? "OpenSearch refuses it, and all users of the same request with it."
          : "A login has the form NAME:PASSWORD: such a user can never log in.",
      fix: `Give it a name without ${name.includes(":") ? "a colon" : "%"}.`,
    }),
  ];
}

function placeOf({ node, origin }: DesiredResource, field: string): SourceRange {
  return findMapEntry(node, field)?.value ?? origin;
}

/** Plain HTTP to another machine. */
export function isOpenUrl(url: string): boolean {
  return /^http:\/\//i.test(url) && !isLoopbackUrl(url);
}

export function isLoopbackUrl(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}
