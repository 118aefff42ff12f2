import { RunError } from "../../diagnostics/failure.ts";
import { releasesOf } from "../../dialects/index.ts";
import type { Product } from "../../model/plan.ts";
import type { Behaviour } from "./behaviour.ts";
import { gateBehaviour } from "./gate.ts";

/** Throws a RunError where the product or release cannot be emulated. */
export function behaviourOf(product: Product, release: string, engine: string | undefined): Behaviour {
  if (product !== "gate") {
    throw new RunError("usage", {
      what: `The emulator cannot be a server of the product ${product} yet.`,
      why: "It knows the product gate only.",
      fix: "Start it with --product gate.",
    });
  }
  if (!releasesOf.gate.includes(release)) {
    throw new RunError("usage", {
      what: `The product gate has no release ${release}.`,
      fix: `Choose one of ${releasesOf.gate.join(", ")}.`,
    });
  }
  return gateBehaviour(release, engine);
}
