import { indexNames, names } from "./alphabet.ts";
import { readableExample } from "./examples.ts";
import { choiceOf, literal } from "./expression.ts";
import { type Ground, groundOf, positionsOf, stemsMetBy } from "./ground.ts";
import { compile } from "./machine.ts";
import { netOf, search } from "./search.ts";
import { isLiteral, isOpaque, readPattern } from "./syntax.ts";

export interface Atoms {
  /** Each text is of exactly one of them, unless there are too many. */
  readonly atoms: readonly Atom[];
  /** Positions of the patterns that were left out, as nothing can be worked out about them. */
  readonly opaque: readonly number[];
  /** There are more atoms than were asked for, or to find them takes too long: `atoms` are some of them. */
  readonly tooMany: boolean;
}

/** All texts that the same patterns meet. */
export interface Atom {
  /** Positions of these patterns, ascending; none for the texts that no pattern meets. */
  readonly met: readonly number[];
  readonly example: string;
}

/** Parts all texts but the empty one, or those that can name an index, by which of the patterns meet them: at most `limit` atoms. */
export function atomsOf(patterns: readonly string[], kind: "index" | "text", limit: number): Atoms {
  const clear = [...new Set(patterns)].filter((pattern) => !isOpaque(pattern));
  const ground = groundOf(
    clear.filter((pattern) => !isLiteral(pattern)),
    kind === "index" ? indexNames : names,
  );
  // A text that is spelt out is an atom of its own, and needs no search.
  const spelt = clear.filter(isLiteral).flatMap((text) => {
    const met = ground.metBy(text);
    return met ? [{ met, text }] : [];
  });
  const { classes, isWhole } = unspelt(ground, spelt, limit);

  const positions = positionsOf(patterns);
  const atom = (texts: readonly string[], example: string): Atom => ({
    met: texts.flatMap((text) => positions.get(text) ?? []).sort((a, b) => a - b),
    example,
  });
  const named = (met: readonly number[]) => met.map((at) => ground.open[at] ?? "");
  const atoms = [
    ...spelt.map(({ met, text }) => atom([text, ...named(met)], text)),
    ...classes.map(({ met, text }) => atom(named(met), text)),
  ];
  const opaque = [...patterns.keys()].filter((at) => isOpaque(patterns[at] ?? ""));
  return { atoms: atoms.slice(0, limit), opaque, tooMany: !isWhole || atoms.length > limit };
}

/** A text, and which of the open patterns meet it. */
interface Sample {
  readonly met: readonly number[];
  readonly text: string;
}

/** One text, none of those that are spelt out, for each way in which the open patterns meet one. */
function unspelt(ground: Ground, spelt: readonly Sample[], limit: number) {
  const { alphabet, open, metBy } = ground;
  const taken = new Set(spelt.map(({ text }) => text));
  const { samples, isWhole } = shortestOf(ground, limit);
  const classes: Sample[] = [];
  const crowded = new Set<string>();
  for (const { met, text } of samples) {
    const key = met.join();
    const isOfClass = (other: string) => !taken.has(other) && metBy(other)?.join() === key;
    const own = met.map((at) => open[at] ?? "");
    const example = readableExample(alphabet, own, isOfClass) ?? (isOfClass(text) ? text : undefined);
    if (example !== undefined) classes.push({ met, text: example });
    else crowded.add(key);
  }
  const rest = besides(ground, spelt, crowded);
  return { classes: [...classes, ...rest.classes], isWhole: isWhole && rest.isWhole };
}

/** The shortest text of each class, in their order; of what meets stems alone the stem, whether it is of its class or not. */
function shortestOf({ net, stems, metBy }: Ground, limit: number) {
  const shortest = new Map<string, Sample>();
  for (const stem of stems.size > 0 ? ["", ...stems.keys()] : []) {
    const met = stemsMetBy(stems, stem);
    shortest.set(met.join(), { met, text: stem });
    if (shortest.size > limit) break;
  }
  const outcome = search(net, (met, text) => {
    const all = stems.size > 0 ? (metBy(text()) ?? []) : met;
    const key = all.join();
    if (!shortest.has(key)) shortest.set(key, { met: all, text: text() });
    return shortest.size > limit;
  });
  const samples = [...shortest.values()].sort((a, b) => a.text.length - b.text.length);
  return { samples, isWhole: outcome === "all" };
}

/** For classes of which the texts at hand are none, or all spelt out: one that is not, if there is any. */
function besides({ alphabet, open }: Ground, spelt: readonly Sample[], crowded: ReadonlySet<string>) {
  if (crowded.size === 0) return { classes: [], isWhole: true };
  const classes = new Map<string, Sample>();
  const taken = spelt.filter(({ met }) => crowded.has(met.join())).map(({ text }) => literal(text));
  const withTaken = netOf(alphabet, [
    ...open.map((pattern) => readPattern(pattern)?.compiled ?? []),
    compile(choiceOf(taken)) ?? [],
  ]);
  const outcome = search(withTaken, (met, text) => {
    const key = met.join();
    if (crowded.has(key) && !classes.has(key)) classes.set(key, { met, text: text() });
    return classes.size === crowded.size;
  });
  return { classes: [...classes.values()], isWhole: outcome !== "tooMany" };
}
