import type { Family } from "../model/names.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { EmulatorState, InitialState } from "./state.ts";

/** One emulated server with what it holds, whatever its product. */
export interface Served {
  /** The answer; the request takes effect only where `keep` says so. */
  answer(request: RawRequest, keep: boolean): Reply;
  state(): EmulatorState;
  /** What is not said becomes empty. */
  replaceState(initial: InitialState): void;
  familyAt(path: string): Family | undefined;
}

/** A kind of server as functions over its own state. */
export interface Kind<State> {
  readonly initial: (initial: InitialState) => State;
  readonly answer: (request: RawRequest, state: State) => { readonly reply: Reply; readonly state: State };
  readonly shown: (state: State) => EmulatorState;
  readonly familyAt: (path: string) => Family | undefined;
}

/** The only place that remembers anything between two requests. */
export function served<State>(kind: Kind<State>, initial: InitialState): Served {
  const memory = { state: kind.initial(initial) };
  return {
    answer: (request, keep) => {
      const { reply, state } = kind.answer(request, memory.state);
      if (keep) memory.state = state;
      return reply;
    },
    state: () => kind.shown(memory.state),
    replaceState: (next) => {
      memory.state = kind.initial(next);
    },
    familyAt: kind.familyAt,
  };
}
