import { RunError } from "../../diagnostics/failure.ts";
import { createDialect } from "../../dialects/index.ts";
import { exampleReleases, getBuild, isOpenSearchBefore, parseRelease } from "../../dialects/release.ts";
import type { Product } from "../../model/plan.ts";
import { guardAccess } from "../access/guarded.ts";
import { answer } from "../answer.ts";
import { answerAsReal } from "../real/answer.ts";
import type { RealProduct } from "../real/product.ts";
import { findRealRoute } from "../real/routes.ts";
import { createRealState, getBuiltinEntries, showState } from "../real/state.ts";
import { findRoute } from "../route.ts";
import { findRouteFamily } from "../route-family.ts";
import { createServer, type ServedCluster } from "../server.ts";
import type { EmulatorUser, NodeSettings, Settings } from "../settings.ts";
import { createEmulatorState, type EmulatorState, type InitialState } from "../state.ts";
import { createGateBehaviour } from "./gate.ts";
import { createOpenSearchProduct } from "./opensearch.ts";
import { createOldOpenSearch, openDistro } from "./opensearch-old.ts";
import { createSearchGuard6Product } from "./search-guard-6.ts";
import { createSearchGuard7Product, recordedBuild } from "./search-guard-7.ts";
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
export function createProductServer(wanted: ServerWanted): ServedCluster {
  const { product } = wanted;
  const release = parseRelease(product, wanted.release);
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
  if (release === "6") return createSearchGuard6Product;
  return release === "FLX" ? searchGuardFlx : createSearchGuard7Product(getBuild(release));
}

function openSearchOf(release: string): RealProduct {
  if (release === "odfe-1.x") return openDistro;
  return isOpenSearchBefore(release, "2.10") ? createOldOpenSearch(release) : createOpenSearchProduct(release);
}

/** The server that the documentation describes. */
function gateServer({ release, engine, settings, users, state }: ServerWanted): ServedCluster {
  const behaviour = createGateBehaviour(release, engine);
  const { dialect, title } = behaviour;
  const fixed: Settings = { ...settings, behaviour, users: undefined };
  const words = { dialect, title, backendWord: "backend_roles" } as const;
  return createServer(
    {
      initial: (initial) => createEmulatorState(initial, behaviour),
      answer: guardAccess<EmulatorState>(words, settings, users, (request, before, node) =>
        answer(request, before, { ...node, behaviour }),
      ),
      shown: (before) => before,
      familyAt: (path) => findRouteFamily(findRoute(path, fixed)),
      dialect,
    },
    state,
  );
}

/** A server as it really is; a stated engine is what `GET /` shows. */
function realServer(product: RealProduct, wanted: ServerWanted): ServedCluster {
  const { release, engine, settings, users, state } = wanted;
  const dialect = createDialect(wanted.product, release === "7" ? `7.x-${recordedBuild}` : release, engine);
  const words = { dialect, title: product.title, backendWord: product.identity.backendWord };
  const stated = engine === undefined ? product : { ...product, engine: { ...product.engine, number: engine } };
  const builtin = getBuiltinEntries(stated, dialect);
  return createServer(
    {
      initial: (initial) => createRealState(initial, stated, builtin),
      answer: guardAccess(words, settings, users, (request, before, node) =>
        answerAsReal(request, before, stated, node),
      ),
      shown: showState,
      familyAt: (path) => findRouteFamily(findRealRoute(path, stated, settings.allowConfigModification)),
      dialect,
    },
    state,
  );
}
