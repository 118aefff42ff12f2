import type { AccessModel } from "../access/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Family } from "../model/names.ts";
import { authorizeReply } from "./access/authorize.ts";
import { modelsFor } from "./access/model.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { EmulatorState, InitialState } from "./state.ts";

/** One emulated server with what it holds, whatever its product. */
export interface Served {
  /** The answer; the request takes effect only where `keep` says so. */
  answer(request: RawRequest, keep: boolean): Reply;
  state(): EmulatorState;
  /** `POST /_emulator/authorize`: what is permitted by what it holds. */
  authorize(request: RawRequest): Reply;
  /** As when it was started. */
  replaceState(initial: InitialState): void;
  familyAt(path: string): Family | undefined;
}

export interface Outcome<State> {
  readonly reply: Reply;
  readonly state: State;
}

/** A kind of server as functions over its own state. */
export interface Kind<State> {
  readonly initial: (initial: InitialState) => State;
  readonly answer: (request: RawRequest, state: State, model: () => AccessModel) => Outcome<State>;
  readonly shown: (state: State) => EmulatorState;
  readonly familyAt: (path: string) => Family | undefined;
  readonly dialect: Dialect;
}

/** The only place that remembers anything between two requests. */
export function served<State>(kind: Kind<State>, initial: InitialState): Served {
  const memory: { state: State; judged?: { readonly state: State; readonly model: AccessModel } } = {
    state: kind.initial(initial),
  };
  const modelIn = modelsFor(kind.dialect);
  const model = (): AccessModel => {
    const { state, judged } = memory;
    if (judged?.state === state) return judged.model;
    memory.judged = { state, model: modelIn(kind.shown(state)) };
    return memory.judged.model;
  };
  return {
    answer: (request, keep) => {
      const { reply, state } = kind.answer(request, memory.state, model);
      if (keep) memory.state = state;
      return reply;
    },
    state: () => kind.shown(memory.state),
    authorize: (request) => authorizeReply(request, model(), kind.dialect),
    replaceState: (next) => {
      memory.state = kind.initial(next);
    },
    familyAt: kind.familyAt,
  };
}
