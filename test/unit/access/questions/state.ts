import { type AccessModel, createAccessModel } from "../../../../src/access/model/access-model.ts";
import { buildDeclaredAccess } from "../../../../src/access/model/states.ts";
import type { Subject } from "../../../../src/access/model/subject.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { Product } from "../../../../src/model/plan.ts";
import { normalise } from "../../../../src/normalise/desired.ts";
import { repositoryOf } from "../../../support/nodes.ts";

/** What a state file means, over what the product ships. */
export function modelFrom(text: string, product: Product = "opensearch", release = "2.19"): AccessModel {
  const dialect = createDialect(product, release);
  return createAccessModel(
    buildDeclaredAccess(normalise(repositoryOf({ "a.yml": text }), dialect, {}).desired, dialect),
  );
}

/** `ana hr,emea @10.0.7.3`: a user, backend roles, an address; each may be left out, `-` for no user. */
export function subjectFrom(words: string, attributes?: Readonly<Record<string, string>>): Subject {
  const [user = "-", ...rest] = words.split(" ");
  const host = rest.find((word) => word.startsWith("@"));
  const roles = rest.filter((word) => !word.startsWith("@")).flatMap((word) => word.split(","));
  return {
    ...(user !== "-" && { user: { name: user } }),
    backendRoles: roles.map((name) => ({ name })),
    host: host === undefined ? "unknown" : { name: host.slice(1) },
    ...(attributes && { attributes }),
  };
}
