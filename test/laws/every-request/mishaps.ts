import type { EmulatorState, InitialState } from "../../../src/emulator/state.ts";
import type { Json } from "../../../src/json/value.ts";
import { type Address, addressOf, isResourceFamily, type ResourceFamily } from "../../../src/model/names.ts";
import { kept } from "../../world/few.ts";
import type { OnTheWay } from "./memory.ts";

/** What goes wrong at one request of a run. */
export type Mishap =
  | {
      readonly title: string;
      /** What becomes of that request. */
      readonly way: OnTheWay;
      /** What becomes of the one that follows, which looks what came of it. */
      readonly next?: OnTheWay;
      /** What becomes of each that follows. */
      readonly onward?: OnTheWay;
    }
  | {
      readonly title: string;
      /** Done by somebody else just before that request, and to which addresses. */
      readonly deed: Deed;
    };

export interface Deed {
  readonly addresses: readonly Address[];
  readonly done: (held: EmulatorState) => InitialState;
}

const conflict = "version conflict, required seqNo [36], primary term [1]";
const own = '{"status":"INTERNAL_SERVER_ERROR","message":"Error null"}';

const before = (answer: Exclude<OnTheWay, "refused">["answer"]): OnTheWay => ({ at: "before", answer });
const after = (answer: Exclude<OnTheWay, "refused">["answer"]): OnTheWay => ({ at: "after", answer });

/** Whether it takes effect is nothing that a request which only reads could tell. */
export const readMishaps: readonly Mishap[] = [
  { title: "the connection is refused", way: "refused" },
  { title: "the connection is reset", way: before("reset") },
  { title: "500", way: before({ status: 500 }) },
  { title: "500 in the API's words", way: before({ status: 500, body: own }) },
  { title: "503", way: before({ status: 503, body: "busy" }) },
  { title: "429", way: before({ status: 429, headers: { "retry-after": "1" } }) },
  { title: "409", way: before({ status: 409, body: `{"status":"CONFLICT","message":"${conflict}"}` }) },
  { title: "no answer in time", way: before("hang") },
  { title: "half an answer", way: before("truncate") },
  { title: "an empty answer", way: before("empty") },
  { title: "a page in place of an answer", way: before("not-json") },
  { title: "the server is gone from here on", way: "refused", onward: "refused" },
  { title: "503 from here on", way: before({ status: 503, body: "busy" }), onward: before({ status: 503 }) },
];

export const writeMishaps: readonly Mishap[] = [
  { title: "the connection is refused", way: "refused" },
  ...([before, after] as const).flatMap((at, index): readonly Mishap[] => {
    const when = index === 0 ? "before it takes effect" : "after it took effect";
    return [
      { title: `the connection is reset ${when}`, way: at("reset") },
      { title: `500 ${when}`, way: at({ status: 500 }) },
      { title: `500 in the API's words ${when}`, way: at({ status: 500, body: own }) },
      { title: `503 ${when}`, way: at({ status: 503, body: "busy" }) },
      { title: `409 ${when}`, way: at({ status: 409, body: `{"status":"CONFLICT","message":"${conflict}"}` }) },
      { title: `no answer in time ${when}`, way: at("hang") },
      { title: `half an answer ${when}`, way: at("truncate") },
      { title: `nothing can be read any more, reset ${when}`, way: at("reset"), onward: "refused" },
      { title: `503 from here on ${when}`, way: at({ status: 503 }), onward: before({ status: 503 }) },
    ];
  }),
  { title: "429", way: before({ status: 429, headers: { "retry-after": "1" } }) },
  {
    title: "500 version conflict",
    way: before({ status: 500, body: `{"status":"INTERNAL_SERVER_ERROR","message":"Error [roles]: ${conflict}"}` }),
  },
  { title: "an empty answer after it took effect", way: after("empty") },
  { title: "a page in place of an answer after it took effect", way: after("not-json") },
  { title: "the server is gone from here on", way: "refused", onward: "refused" },
];

const looksFail: readonly (readonly [string, OnTheWay])[] = [
  ["and the next connection is refused", "refused"],
  ["and the next answer is a page", before("not-json")],
];

/** A write that goes wrong, and the first look at what came of it as well. */
export const pairsOfMishaps: readonly Mishap[] = writeMishaps.flatMap((mishap) =>
  !("way" in mishap) || mishap.onward !== undefined || mishap.way === "refused"
    ? []
    : looksFail.map(([title, next]) => ({ ...mishap, title: `${mishap.title}, ${title}`, next })),
);

/** What somebody else may do to the entries of a plan, one after the other, and to their neighbours. */
export function secondWriters(
  addresses: readonly Address[],
  moved: (family: ResourceFamily) => Json,
): readonly Mishap[] {
  const entries = addresses.map(placeOf).filter(({ family }) => isResourceFamily(family));
  const families = [...new Set(entries.map(({ family }) => family))].filter(isResourceFamily);
  const others = families.flatMap((family) => [kept(family), ...theirs].map((name) => ({ family, name })));
  return [
    ...entries.flatMap(({ family, name }): readonly Mishap[] =>
      isResourceFamily(family)
        ? [
            { title: `somebody writes ${family}/${name}`, deed: writing([{ family, name }], moved) },
            { title: `somebody deletes ${family}/${name}`, deed: deleting(family, name) },
          ]
        : [],
    ),
    ...(others.length > 0 ? [{ title: "somebody writes neighbours", deed: writing(others, moved) }] : []),
  ];
}

/** One that is there, and a new one. */
const theirs = ["other_team_x", "other_team_y"];

function placeOf(address: Address): { readonly family: string; readonly name: string } {
  const slash = address.indexOf("/");
  return { family: address.slice(0, slash), name: address.slice(slash + 1) };
}

interface Place {
  readonly family: ResourceFamily;
  readonly name: string;
}

function writing(places: readonly Place[], moved: (family: ResourceFamily) => Json): Deed {
  return {
    addresses: places.map(({ family, name }) => addressOf(family, name)),
    done: (held) => {
      const families = [...new Set(places.map(({ family }) => family))];
      const written = families.map((family) => {
        const own = places.filter((place) => place.family === family);
        return [family, new Map([...held[family], ...own.map(({ name }) => [name, moved(family)] as const)])];
      });
      return { ...held, ...Object.fromEntries(written) };
    },
  };
}

function deleting(family: ResourceFamily, name: string): Deed {
  return {
    addresses: [addressOf(family, name)],
    done: (held) => ({ ...held, [family]: new Map([...held[family]].filter(([other]) => other !== name)) }),
  };
}
