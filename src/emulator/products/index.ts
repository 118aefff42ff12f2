import { RunError } from "../../diagnostics/failure.ts";
import { releasesOf } from "../../dialects/index.ts";
import type { Product } from "../../model/plan.ts";
import { answer } from "../answer.ts";
import { realAnswer } from "../real/answer.ts";
import type { RealProduct } from "../real/product.ts";
import { realRouteOf } from "../real/routes.ts";
import { realStateFrom, shownState } from "../real/state.ts";
import { routeOf } from "../route.ts";
import { familyOf } from "../route-family.ts";
import { type Served, served } from "../server.ts";
import type { NodeSettings } from "../settings.ts";
import { type InitialState, stateFrom } from "../state.ts";
import { gateBehaviour } from "./gate.ts";
import { openSearchProduct } from "./opensearch.ts";
import { openSearchOld } from "./opensearch-old.ts";
import { searchGuard6 } from "./search-guard-6.ts";
import { searchGuard7 } from "./search-guard-7.ts";

/** What a server is to be. */
export interface ServerWanted {
  readonly product: Product;
  readonly release: string;
  readonly engine: string | undefined;
  readonly settings: NodeSettings;
  readonly state: InitialState;
}

/** Throws a RunError where the product or release cannot be emulated. */
export function serverFor(wanted: ServerWanted): Served {
  const { product, release } = wanted;
  if (product === "gate" && releasesOf.gate.includes(release)) return gateServer(wanted);
  const real = realProducts[product]?.get(release);
  if (real !== undefined) return realServer(real, wanted);
  const known = product === "gate" ? releasesOf.gate : [...(realProducts[product]?.keys() ?? [])];
  throw new RunError("usage", {
    what: `The product ${product} has no release ${release} that can be emulated.`,
    fix: `Choose one of ${known.join(", ")}.`,
  });
}

const realProducts: Partial<Readonly<Record<Product, ReadonlyMap<string, RealProduct>>>> = {
  "search-guard": new Map([
    ["6", searchGuard6],
    ["7", searchGuard7],
  ]),
  opensearch: new Map([
    ["1", openSearchOld],
    ["2", openSearchProduct("2")],
    ["3", openSearchProduct("3")],
  ]),
};

/** The server that the documentation describes. */
function gateServer({ release, engine, settings: node, state }: ServerWanted): Served {
  const settings = { ...node, behaviour: gateBehaviour(release, engine) };
  return served(
    {
      initial: (initial) => stateFrom(initial, settings.behaviour),
      answer: (request, before) => answer(request, before, settings),
      shown: (before) => before,
      familyAt: (path) => familyOf(routeOf(path, settings)),
    },
    state,
  );
}

/** A server as it really is; a stated engine is what `GET /` shows. */
function realServer(product: RealProduct, { engine, settings, state }: ServerWanted): Served {
  const stated = engine === undefined ? product : { ...product, engine: { ...product.engine, number: engine } };
  return served(
    {
      initial: (initial) => realStateFrom(initial, stated),
      answer: (request, before) => realAnswer(request, before, stated, settings),
      shown: shownState,
      familyAt: (path) => familyOf(realRouteOf(path, stated, settings.allowConfigModification)),
    },
    state,
  );
}
