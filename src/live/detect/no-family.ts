import { type Message, RunError } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { products } from "../../dialects/index.ts";
import type { Product } from "../../model/plan.ts";
import type { HttpAnswer, ReadPort } from "../../model/ports.ts";
import { formatServerMessage } from "../server-message.ts";
import { listAttempts, type ProbeAttempt, type ProbeResult, probe } from "./probe.ts";
import { type Root, readRoot } from "./root.ts";
import { isNoRoute, mayWantSlash } from "./routes.ts";
import { guessWhoAnswers } from "./who-answers.ts";

/**
 * Why no family answers of the product that is stated: another product is there, the URL leads elsewhere, or we may not
 * see what answers. Undefined where any of its families answers, be it by a refusal.
 */
export async function explainNoFamily(reader: ReadPort, dialect: Dialect): Promise<RunError | undefined> {
  const { prefix, collections, product } = dialect;
  for (const segment of Object.values(collections)) {
    const plain = `${prefix}/${segment}`;
    const answer = await reader.get(plain);
    if (!isNothing(answer) || (mayWantSlash(answer) && !isNothing(await reader.get(`${plain}/`)))) return undefined;
  }
  const root = await readRoot(reader);
  const tried: ProbeAttempt[] = [{ path: "/", answer: root.answer }];
  for (const other of products) {
    const found = await probe(reader, other, ["roles"], tried).catch(leaveRefused);
    if (found) return new RunError("failed", describeOther(dialect, found));
  }
  return new RunError("failed", describeRoot(root, tried, product));
}

function isNothing(answer: HttpAnswer): boolean {
  return isNoRoute(answer) || [400, 404, 405].includes(answer.status);
}

function leaveRefused(error: unknown): undefined {
  if (!(error instanceof RunError)) throw error;
}

function describeOther({ product, release }: Dialect, { dialect, path }: ProbeResult): Message {
  if (dialect.product === product)
    return {
      what: `No API of ${product} ${release} answers here, and that of another release does (GET ${path}).`,
      fix: `State release: ${dialect.release} for this target, or leave the release out: gate-sync finds out which it is.`,
    };
  return {
    what: `The product is another: no API of ${product} answers here, and that of ${dialect.product} does (GET ${path}).`,
    why: `${product} is stated (product of the target, or --product).`,
    fix: `State product: ${dialect.product}, or leave product and release out: gate-sync finds out which they are.`,
  };
}

function describeRoot(root: Root, tried: readonly ProbeAttempt[], product: Product): Message {
  const { answer, engine } = root;
  const whatItIs = guessWhoAnswers(root);
  const why = [...(whatItIs === undefined ? [] : [whatItIs]), listAttempts(tried)].join(" ");
  const none = `no API of ${product} answers here, nor one of another product`;
  if (engine !== undefined)
    return {
      what: `The search engine answers, and no security plugin: ${none}.`,
      why,
      fix: "Look at whether its nodes have the plugin turned on, and what a proxy in between lets through.",
    };
  if (answer.status === 403)
    return {
      what: `We may not read GET / (403), and ${none}.`,
      why: [formatServerMessage(answer), why].filter(Boolean).join(" "),
      fix: "Use an identity that may read GET / (cluster:monitor/main) and the administration API; if it may, correct the URL.",
    };
  return {
    what: `The URL leads to no search engine: ${none}.`,
    why,
    fix: "Correct the URL: GET / below it has to be that of the search engine. Its path, where it has one, begins every request.",
  };
}
