import type { AccessModel } from "../access/model/access-model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Family } from "../model/names.ts";
import { answerAuthorize } from "./access/authorize.ts";
import { createModels } from "./access/model.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { EmulatorState, InitialState } from "./state.ts";

/** One emulated server with what it holds, whatever its product. */
export interface ServedCluster {
  /** The answer; the request takes effect only where `keep` says so. */
  answer(request: RawRequest, keep: boolean): Reply;
  state(): EmulatorState;
  /** `POST /_emulator/authorize`: what is permitted by what it holds. */
  authorize(request: RawRequest): Reply;
  /** As when it was started. */
  replaceState(initial: InitialState): void;
  familyAt(path: string): Family | undefined;
}

export interface HandledRequest<State> {
  readonly reply: Reply;
  readonly state: State;
}

/** A kind of server as functions over its own state. */
export interface RequestCategory<State> {
  readonly initial: (initial: InitialState) => State;
  readonly answer: (request: RawRequest, state: State, model: () => AccessModel) => HandledRequest<State>;
  readonly shown: (state: State) => EmulatorState;
  readonly familyAt: (path: string) => Family | undefined;
  readonly dialect: Dialect;
}

/** The only place that remembers anything between two requests. */
export function createServer<State>(kind: RequestCategory<State>, initial: InitialState): ServedCluster {
  const memory: { state: State; evaluated?: { readonly state: State; readonly model: AccessModel } } = {
    state: kind.initial(initial),
  };
  const modelIn = createModels(kind.dialect);
  const model = (): AccessModel => {
    const { state, evaluated } = memory;
    if (evaluated?.state === state) return evaluated.model;
    memory.evaluated = { state, model: modelIn(kind.shown(state)) };
    return memory.evaluated.model;
  };
  return {
    answer: (request, keep) => {
      const { reply, state } = kind.answer(request, memory.state, model);
      if (keep) memory.state = state;
      return reply;
    },
    state: () => kind.shown(memory.state),
    authorize: (request) => answerAuthorize(request, model(), kind.dialect),
    replaceState: (next) => {
      memory.state = kind.initial(next);
    },
    familyAt: kind.familyAt,
  };
}
