import { RunError } from "../../diagnostics/failure.ts";
import { dialectFor } from "../../dialects/index.ts";
import { buildOf, exampleReleases, openSearchBefore, releaseNamed } from "../../dialects/release.ts";
import type { Product } from "../../model/plan.ts";
import { guarded } from "../access/guarded.ts";
import { answer } from "../answer.ts";
import { realAnswer } from "../real/answer.ts";
import type { RealProduct } from "../real/product.ts";
import { realRouteOf } from "../real/routes.ts";
import { realStateFrom, shippedEntries, shownState } from "../real/state.ts";
import { routeOf } from "../route.ts";
import { familyOf } from "../route-family.ts";
import { type Served, served } from "../server.ts";
import type { EmulatorUser, NodeSettings, Settings } from "../settings.ts";
import { type EmulatorState, type InitialState, stateFrom } from "../state.ts";
import { gateBehaviour } from "./gate.ts";
import { openSearchProduct } from "./opensearch.ts";
import { openDistro, openSearchOld } from "./opensearch-old.ts";
import { searchGuard6 } from "./search-guard-6.ts";
import { recordedBuild, searchGuard7 } from "./search-guard-7.ts";
import { searchGuardFlx } from "./search-guard-flx.ts";

/** What a server is to be. */
export interface ServerWanted {
  readonly product: Product;
  readonly release: string;
  readonly engine: string | undefined;
  readonly settings: Omit<NodeSettings, "users">;
  readonly users?: readonly EmulatorUser[] | undefined;
  readonly state: InitialState;
}

/** Throws a RunError where the product never had the release. */
export function serverFor(wanted: ServerWanted): Served {
  const { product } = wanted;
  const release = releaseNamed(product, wanted.release);
  if (release === undefined) {
    throw new RunError("usage", {
      what: `The product ${product} has no release ${wanted.release} that can be emulated.`,
      fix: `Say, for example, one of ${exampleReleases[product].join(", ")}.`,
    });
  }
  return product === "gate"
    ? gateServer({ ...wanted, release })
    : realServer(product === "opensearch" ? openSearchOf(release) : searchGuardOf(release), { ...wanted, release });
}

function searchGuardOf(release: string): RealProduct {
  if (release === "6") return searchGuard6;
  return release === "FLX" ? searchGuardFlx : searchGuard7(buildOf(release));
}

function openSearchOf(release: string): RealProduct {
  if (release === "odfe-1.x") return openDistro;
  return openSearchBefore(release, "2.10") ? openSearchOld(release) : openSearchProduct(release);
}

/** The server that the documentation describes. */
function gateServer({ release, engine, settings, users, state }: ServerWanted): Served {
  const behaviour = gateBehaviour(release, engine);
  const { dialect, title } = behaviour;
  const fixed: Settings = { ...settings, behaviour, users: undefined };
  const words = { dialect, title, backendWord: "backend_roles" } as const;
  return served(
    {
      initial: (initial) => stateFrom(initial, behaviour),
      answer: guarded<EmulatorState>(words, settings, users, (request, before, node) =>
        answer(request, before, { ...node, behaviour }),
      ),
      shown: (before) => before,
      familyAt: (path) => familyOf(routeOf(path, fixed)),
      dialect,
    },
    state,
  );
}

/** A server as it really is; a stated engine is what `GET /` shows. */
function realServer(product: RealProduct, wanted: ServerWanted): Served {
  const { release, engine, settings, users, state } = wanted;
  const dialect = dialectFor(wanted.product, release === "7" ? `7.x-${recordedBuild}` : release, engine);
  const words = { dialect, title: product.title, backendWord: product.identity.backendWord };
  const stated = engine === undefined ? product : { ...product, engine: { ...product.engine, number: engine } };
  const shipped = shippedEntries(stated, dialect);
  return served(
    {
      initial: (initial) => realStateFrom(initial, stated, shipped),
      answer: guarded(words, settings, users, (request, before, node) => realAnswer(request, before, stated, node)),
      shown: shownState,
      familyAt: (path) => familyOf(realRouteOf(path, stated, settings.allowConfigModification)),
      dialect,
    },
    state,
  );
}
