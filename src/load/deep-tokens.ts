// How deep a text of YAML is, before anything recurses over it.

/** As the parser of `yaml` gives it. */
interface Token {
  readonly type: string;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/**
 * Before it is composed, which is done by recursion: near the end of its stack, Node may end the process.
 *
 * @throws RangeError
 */
export function* refuseDeep<T extends Token>(tokens: Iterable<T>): Generator<T> {
  for (const token of tokens) {
    const open: [Token, number][] = [[token, 0]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [{ type, value, items = [] }, depth] = next;
      if (depth > deepest) throw new RangeError();
      const below = items.flatMap((item) => [item.key, item.value]);
      for (const one of type === "document" ? [value] : below) if (one) open.push([one as Token, depth + 1]);
    }
    yield token;
  }
}

/** Above the limit of readers, which names the place. */
const deepest = 300;
