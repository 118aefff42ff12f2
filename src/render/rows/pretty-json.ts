import { splitJson } from "../../json/written-json.ts";

/** Either a scalar as it was written, or the contents of two brackets. */
type Tree = string | { readonly open: string; readonly close: string; readonly items: readonly Item[] };
interface Item {
  readonly key: string;
  readonly value: Tree;
}

/** What is nested further is left as it is: whatever walks down it would run out of stack. */
const deepest = 200;

/**
 * JSON text laid out so that what fits is on one line. Works on the text itself and changes spaces only: numbers and
 * escapes are shown as they are stored. Undefined where the text is not JSON, or nested deeper than any query.
 */
export function formatPrettyJson(text: string, width: number): readonly string[] | undefined {
  const tokens = splitJson(text);
  if (tokens === undefined || depthOf(tokens) > deepest) return undefined;
  // One column for the comma that may follow.
  return print(treeOf(tokens[Symbol.iterator]()), "", width - 1);
}

function depthOf(tokens: readonly string[]): number {
  let depth = 0;
  let most = 0;
  for (const part of tokens) {
    if (part === "{" || part === "[") most = Math.max(most, ++depth);
    else if (part === "}" || part === "]") depth--;
  }
  return most;
}

/** The text is known to be JSON, so that every bracket closes. */
function treeOf(tokens: Iterator<string>, first = next(tokens)): Tree {
  if (first !== "{" && first !== "[") return first;
  const close = first === "{" ? "}" : "]";
  const items: Item[] = [];
  for (let part = next(tokens); part !== close; part = next(tokens)) {
    if (part === ",") continue;
    if (first === "[") items.push({ key: "", value: treeOf(tokens, part) });
    else {
      next(tokens); // the colon
      items.push({ key: `${part}: `, value: treeOf(tokens) });
    }
  }
  return { open: first, close, items };
}

function next(tokens: Iterator<string>): string {
  const { value } = tokens.next();
  return value ?? "}";
}

function print(tree: Tree, lead: string, width: number): readonly string[] {
  const line = lead + flat(tree);
  if (typeof tree === "string" || tree.items.length === 0 || line.length <= width) return [line];
  const last = tree.items.length - 1;
  const inner = tree.items.flatMap(({ key, value }, index) => {
    const lines = print(value, key, width - 2);
    return lines.map((text, at) => `  ${text}${at === lines.length - 1 && index < last ? "," : ""}`);
  });
  return [lead + tree.open, ...inner, tree.close];
}

function flat(tree: Tree): string {
  if (typeof tree === "string") return tree;
  return tree.open + tree.items.map(({ key, value }) => key + flat(value)).join(", ") + tree.close;
}
