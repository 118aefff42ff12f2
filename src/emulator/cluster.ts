import type { AccessModel } from "../access/model/access-model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { listEndpoints } from "../dialects/endpoints.ts";
import { memoiseByObject } from "../json/memoise.ts";
import type { Family } from "../model/names.ts";
import { answerAuthorize } from "./access/authorize.ts";
import { answerData } from "./access/data.ts";
import { createModels } from "./access/model.ts";
import { admitUsers } from "./access/users.ts";
import { answerRequest } from "./answer.ts";
import { findCaller } from "./caller.ts";
import type { ServedRequest } from "./handler.ts";
import { createServerState, getBuiltinEntries } from "./load-state.ts";
import type { ProductModel } from "./product.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import { findRoute, findRouteFamily } from "./routes.ts";
import type { EmulatorUser, NodeSettings } from "./settings.ts";
import { type EmulatorState, type InitialState, showState } from "./state.ts";

/** One emulated server with what it holds, whatever its product. */
export interface ServedCluster {
  /** The answer; the request takes effect only where `keep` says so. */
  answer(request: RawRequest, keep: boolean): Reply;
  state(): EmulatorState;
  /** `POST /_emulator/authorize`: what is permitted by what it holds. */
  authorize(request: RawRequest): Reply;
  /** Puts back, whenever it is called, what the cluster holds now. */
  rememberState(): () => void;
  /** As when it was started. */
  replaceState(initial: InitialState): void;
  familyAt(path: string): Family | undefined;
}

/** What a server is made of besides its product. */
export interface ClusterOptions {
  readonly dialect: Dialect;
  readonly settings: Omit<NodeSettings, "users" | "endpoints">;
  readonly users?: readonly EmulatorUser[] | undefined;
  readonly state: InitialState;
}

/**
 * The only place that remembers anything between two requests. Users have the rights, and get the data, that the state
 * permits them; all else is answered by the product.
 */
export function createCluster(product: ProductModel, options: ClusterOptions): ServedCluster {
  const { dialect, settings, users } = options;
  const builtin = product.hasBuiltins ? getBuiltinEntries(product, dialect) : new Map();
  const memory = { state: createServerState(options.state, product, builtin) };
  const modelOf = memoiseByObject(createModels(dialect, settings.aliases));
  const endpoints = listEndpoints(dialect).map(({ name }) => name);
  const model = (): AccessModel => modelOf(showState(memory.state));
  return {
    answer: (request, keep) => {
      const node = { ...settings, endpoints, users: users && admitUsers(users, model, dialect) };
      const caller = findCaller(request, node);
      const asked: ServedRequest = { ...request, caller, state: memory.state, product, settings: node };
      const data = answerData(asked, model, dialect);
      if (data !== undefined) return data;
      const { reply, state } = answerRequest(asked);
      if (keep) memory.state = state;
      return reply;
    },
    state: () => showState(memory.state),
    authorize: (request) => answerAuthorize(request, model(), dialect),
    rememberState: () => {
      const { state } = memory;
      return () => {
        memory.state = state;
      };
    },
    replaceState: (next) => {
      memory.state = createServerState(next, product, builtin);
    },
    familyAt: (path) => findRouteFamily(findRoute(path, product, settings.allowConfigModification)),
  };
}
