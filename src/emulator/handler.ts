import type { ResourceFamily } from "../model/names.ts";
import type { EmulatorCaller } from "./caller.ts";
import type { ProductModel } from "./product.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { NodeSettings } from "./settings.ts";
import type { ServerState } from "./state.ts";

/** A request with all that its answer may depend on. */
export interface ServedRequest extends RawRequest {
  /** Undefined: not known. */
  readonly caller: EmulatorCaller | undefined;
  readonly state: ServerState;
  readonly product: ProductModel;
  readonly settings: NodeSettings;
}

/** One to a family, or to an entry of it. */
export interface ResourceRequest extends ServedRequest {
  readonly family: ResourceFamily;
  /** "" for the whole family. */
  readonly name: string;
  /** Who asks may do anything, if the product lets it. */
  readonly admin: boolean;
}

/** What became of a request: the answer, and the state afterwards, the very same where nothing was written. */
export interface HandledRequest {
  readonly reply: Reply;
  readonly state: ServerState;
}
