import type { RequestVerdict } from "../evaluate/question.ts";
import type { ShareExplanation } from "../explain/explanation.ts";
import type { ChainStep, Places } from "../explain/grant-path.ts";
import type { Verdict } from "../verdict.ts";
import type { AccessMap } from "./access-map.ts";
import type { EffectiveAccess } from "./what.ts";
import type { Principal } from "./who.ts";

/** What every answer is based on. */
export interface Grounded {
  /** What the evaluation is based on, in a sentence. */
  readonly basis: string;
  /** What is taken for granted, as nothing says it. */
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/** A map as it is shown. */
export interface MapAnswer extends AccessMap, Grounded {
  /** Of the roles that no principal has: those that servers come with. */
  readonly unheldBuiltins: readonly string[];
}

/** The answer to: may this subject do this? */
export interface CanIAnswer extends Grounded {
  readonly who: string;
  readonly asked: string;
  readonly verdict: RequestVerdict;
  readonly shares: readonly ShareExplanation[];
  /** There are more shares than these. */
  readonly tooMany: boolean;
  /** The server answers with what is permitted, instead of refusing the rest. */
  readonly reduced: boolean;
  /** Each share is permitted by itself, but one role has to grant all of them, and none does. */
  readonly takesOneRole?: true;
  readonly places: Places;
}

/** Everybody who may do something, or may perhaps. */
export interface WhoCanAnswer extends Grounded {
  readonly asked: string;
  /** Without those who may not. */
  readonly principals: readonly FoundPrincipal[];
  /** How many were asked about. */
  readonly of: number;
  /** The files declare a part, and others may be let in by what only the server has. */
  readonly mayBeMore: boolean;
  readonly places: Places;
}

export interface FoundPrincipal {
  readonly principal: Principal;
  readonly verdict: Exclude<RequestVerdict, "no">;
  readonly shares: readonly ShareExplanation[];
}

/** Everything that a subject may do. */
export interface WhatCanAnswer extends EffectiveAccess, Grounded {
  readonly who: string;
  readonly places: Places;
  readonly roles: readonly {
    readonly role: string;
    readonly verdict: Verdict;
    /** A role that is not there grants nothing. */
    readonly isThere: Verdict;
    readonly chain: readonly ChainStep[];
  }[];
}
