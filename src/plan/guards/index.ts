import { accessTests } from "./access-tests.ts";
import { authentication } from "./authentication.ts";
import { bodyLimit } from "./body-limit.ts";
import { changes } from "./changes.ts";
import { configFaithful } from "./config-faithful.ts";
import { configWrites } from "./config-writes.ts";
import { deletions } from "./deletions.ts";
import { escalation } from "./escalation.ts";
import { foreignDeletions } from "./foreign-deletions.ts";
import type { Guard } from "./guard.ts";
import { lockOut } from "./lock-out.ts";
import { login } from "./login.ts";
import { order } from "./order.ts";
import { plainSecrets } from "./plain-secrets.ts";
import { protectedAddresses } from "./protected.ts";
import { protection } from "./protection.ts";
import { unloadable } from "./unloadable.ts";
import { userDeletions } from "./user-deletions.ts";
import { userFields } from "./user-fields.ts";
import { wildcard } from "./wildcard.ts";

/** Everything that may refuse a plan, in the order in which violations are shown. */
export const guards: readonly Guard[] = [
  unloadable,
  configWrites,
  configFaithful,
  bodyLimit,
  login,
  authentication,
  lockOut,
  protectedAddresses,
  userFields,
  userDeletions,
  foreignDeletions,
  deletions,
  changes,
  wildcard,
  escalation,
  order,
  accessTests,
  plainSecrets,
  protection,
];
