import type { Behaviour } from "./products/behaviour.ts";

/** Whom the server knows by password, and what they may do through the API. */
export interface EmulatorUser {
  readonly name: string;
  readonly password: string;
  readonly rights: "all" | "read" | "none";
}

/** How `GET /` is answered: like a search engine, with 403, or with 404. */
export type RootAnswer = "open" | "forbidden" | "absent";

/** All that decides an answer besides the request and the state. */
export interface Settings {
  readonly behaviour: Behaviour;
  readonly allowConfigModification: boolean;
  /** Undefined: nobody is asked who they are. */
  readonly users: readonly EmulatorUser[] | undefined;
  /** A request with this header comes from an administrator with a certificate; lower-case. */
  readonly adminHeader: string | undefined;
  readonly clusterName: string;
  readonly clusterUuid: string;
  readonly rootAnswer: RootAnswer;
  readonly now: () => Date;
}
