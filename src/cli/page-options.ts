import type { RunRequest } from "../engine/request.ts";
import type { PageOptions } from "../render/html/parts.ts";
import type { CommonFlags } from "./options.ts";

/** What a page says of the files besides the result: their commit, and where a forge shows them. */
export async function readPageOptions(request: RunRequest, { linkBase }: CommonFlags): Promise<PageOptions> {
  const { describeFindings } = await import("../engine/finding-facts.ts");
  const { createLinks } = await import("../render/html/place.ts");
  const { places, commit } = await describeFindings(request);
  return { link: createLinks(linkBase, places.toForgePath), ...(commit !== undefined && { commit }) };
}
