// How deep a text of YAML is, before anything recurses over it.

/** As the parser of `yaml` gives it. */
interface Token {
  readonly type: string;
  /** Of a document, what it holds. */
  readonly value?: unknown;
}

interface Collection {
  readonly items: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/**
 * Before it is composed, which is done by recursion: near the end of its stack, Node may end the process.
 *
 * @throws RangeError
 */
export function* refuseDeep<T extends Token>(tokens: Iterable<T>): Generator<T> {
  for (const token of tokens) {
    const root = token.type === "document" ? token.value : token;
    if (isCollection(root) && isDeep(root, 1)) throw new RangeError();
    yield token;
  }
}

/** By recursion, too, but never further than the limit: a list of what is open would take five times as long. */
function isDeep({ items }: Collection, depth: number): boolean {
  if (depth > deepest) return true;
  for (const { key, value } of items) {
    if (isCollection(key) && isDeep(key, depth + 1)) return true;
    if (isCollection(value) && isDeep(value, depth + 1)) return true;
  }
  return false;
}

function isCollection(token: unknown): token is Collection {
  return (token as Partial<Collection> | null | undefined)?.items !== undefined;
}

/** Above the limit of readers, which names the place. */
const deepest = 300;
