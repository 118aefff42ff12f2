import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { demoPasswords, isDemoHash } from "../dialects/builtin/demo-users.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { isEmptyText } from "../dialects/user-attributes.ts";
import { getCredentials, holdsServiceFlag, isPlainSecret, listDefaults } from "../families/credentials.ts";
import { plainTextReference, Secret } from "../json/secret.ts";
import type { DesiredResource, DesiredState } from "../model/desired.ts";
import { findMapEntry, getScalarSource } from "../model/node.ts";
import type { Target } from "../model/target.ts";
import { createBadHashMessage, isBcrypt, isLoopbackUrl, listTargetUrls } from "./user-writes.ts";

/** What is wrong with the passwords and hashes of declared internal users; those of the server's own users are its own. */
export function validateUsers(
  { resources }: DesiredState,
  target: Pick<Target, "url" | "otherUrls">,
  dialect: Dialect,
): readonly Diagnostic[] {
  const users = [...(resources.get("internal_users")?.values() ?? [])].filter(({ serverOwned }) => !serverOwned);
  const urls = listTargetUrls(target);
  const isPublic = urls.length === 0 || !urls.every(isLoopbackUrl);
  return users.flatMap((user) => [
    ...findCredentialFaults(user, isPublic),
    ...findServiceLogin(user, dialect),
    ...findDroppedAttributes(user, dialect),
  ]);
}

function findCredentialFaults(user: DesiredResource, isPublic: boolean): readonly Diagnostic[] {
  const { name, value } = user;
  const [first, second] = Object.entries(getCredentials(value));
  if (first && second) {
    return [
      createDiagnostic(placeOf(user, second[0]), "exclusive-fields", {
        what: `The internal user ${JSON.stringify(name)} has both a hash and a password.`,
        why: "The server uses the password, and the hash is lost.",
        fix: "Keep one of them.",
      }),
    ];
  }
  const [field = "", secret] = first ?? [];
  if (!(secret instanceof Secret)) return [];
  const place = placeOf(user, field);
  const declared = listDeclared(user, field, secret);
  // What a variable holds is checked where it is written.
  if (field === "hash" && !declared.every((each) => isBcrypt(each.reveal())))
    return [createBadHashMessage(place, name, "warning")];
  if (!isPublic) return [];
  const known = secret.resolved ? [secret, ...declared] : declared;
  if (known.some((each) => isGuessed(field, each.reveal(), name))) return [createDemoMessage(place, field, name)];
  return field === "password" && declared.some(isPlainSecret) ? [createPlainMessage(keyOf(user, field), name)] : [];
}

/** The texts that the file itself has, a default among them: it counts wherever its variable is not set. */
function listDeclared({ node }: DesiredResource, field: string, secret: Secret): readonly Secret[] {
  if (secret.reference === plainTextReference) return secret.resolved ? [secret] : [];
  const written = findMapEntry(node, field)?.value;
  if (written?.kind !== "scalar") return [];
  return listDefaults(getScalarSource(written)).map((text) => new Secret(plainTextReference, text));
}

function isGuessed(field: string, text: string, name: string): boolean {
  return field === "hash" ? isDemoHash(text) : demoPasswords.has(text) || text.toLowerCase() === name.toLowerCase();
}

function createDemoMessage(place: SourceRange, field: string, name: string): Diagnostic {
  return createDiagnostic(place, "demo-password", {
    what: `The ${field} of internal user ${JSON.stringify(name)} is one that everybody knows.`,
    why: "The products come with it, or it is the user's name: anybody who reaches the server can log in.",
    fix: "Choose another password.",
  });
}

function createPlainMessage(place: SourceRange, name: string): Diagnostic {
  return createDiagnostic(place, "plain-password", {
    what: `The password of internal user ${JSON.stringify(name)} is in plain text.`,
    why: "Every reader of the repository, or of its history, can log in as this user.",
    fix: "Write password: ${env:NAME}, or hash: with the hash that the vendor's hash.sh prints, and change the password.",
  });
}

/** OpenSearch makes the passwords of service accounts, so that gate-sync leaves these as they are. */
function findServiceLogin(user: DesiredResource, { product }: Dialect): readonly Diagnostic[] {
  const { name, value } = user;
  const [field] = Object.keys(getCredentials(value));
  if (product !== "opensearch" || field === undefined || !holdsServiceFlag(value)) return [];
  return [
    createDiagnostic(placeOf(user, field), "exclusive-fields", {
      what: `The internal user ${JSON.stringify(name)} has a ${field}, and attributes: {service: "true"} make it a service account.`,
      why: "OpenSearch refuses a password or hash for a service account.",
      fix: `Remove ${field}:, or the attribute "service".`,
    }),
  ];
}

/** What is left out of the canonical form, as the server does not keep it. */
function findDroppedAttributes({ name, node }: DesiredResource, dialect: Dialect): readonly Diagnostic[] {
  const written = findMapEntry(node, "attributes")?.value;
  if (!dialect.internalUsers?.dropsEmptyAttributes || written?.kind !== "map") return [];
  return written.entries.flatMap(({ key, keyRange, value }) =>
    value.kind === "scalar" && isEmptyText(value.value)
      ? [
          createDiagnostic(
            keyRange,
            "unsupported-here",
            {
              what: `The attribute ${JSON.stringify(key)} of internal user ${JSON.stringify(name)} is empty.`,
              why: "OpenSearch drops empty attributes, so gate-sync neither writes nor compares it.",
              fix: "Remove it, or give it a value.",
            },
            "warning",
          ),
        ]
      : [],
  );
}

/** A sign below the value would show how long it is, and at an alias the value is elsewhere. */
function keyOf({ node, origin }: DesiredResource, field: string): SourceRange {
  return findMapEntry(node, field)?.keyRange ?? origin;
}

function placeOf({ node, origin }: DesiredResource, field: string): SourceRange {
  return findMapEntry(node, field)?.value ?? origin;
}
