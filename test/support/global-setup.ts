import { buildValidators } from "../../.scripts/validators.mjs";

/** The validators that `src/validate` imports are built from the schemas, once for all tests. */
export default function setup(): void {
  buildValidators();
}
