import type { EmulatorState, InitialState } from "../../../src/emulator/state.ts";
import type { Json } from "../../../src/json/value.ts";
import { type Address, createAddress } from "../../../src/model/names.ts";
import { kept } from "../../fixtures/few.ts";
import { type FamilyName, isFamilyName } from "../../support/strict/forms.ts";
import type { InBetween } from "./memory.ts";

/** What goes wrong at one request of a run. */
export type InjectedFault =
  | {
      readonly title: string;
      /** What becomes of that request. */
      readonly member: InBetween;
      /** What becomes of the one that follows, which looks what came of it. */
      readonly next?: InBetween;
      /** What becomes of each that follows. */
      readonly onward?: InBetween;
    }
  | {
      readonly title: string;
      /** Done by another writer just before that request, and to which addresses. */
      readonly deed: Deed;
    };

export interface Deed {
  readonly addresses: readonly Address[];
  readonly done: (held: EmulatorState) => InitialState;
}

const conflict = "version conflict, required seqNo [36], primary term [1]";
const own = '{"status":"INTERNAL_SERVER_ERROR","message":"Error null"}';

const before = (answer: Exclude<InBetween, "refused">["answer"]): InBetween => ({ at: "before", answer });
const after = (answer: Exclude<InBetween, "refused">["answer"]): InBetween => ({ at: "after", answer });

/** Whether it takes effect is nothing that a request which only reads could show. */
export const readMishaps: readonly InjectedFault[] = [
  { title: "the connection is refused", member: "refused" },
  { title: "the connection is reset", member: before("reset") },
  { title: "500", member: before({ status: 500 }) },
  { title: "500 in the API's words", member: before({ status: 500, body: own }) },
  { title: "503", member: before({ status: 503, body: "busy" }) },
  { title: "429", member: before({ status: 429, headers: { "retry-after": "1" } }) },
  { title: "409", member: before({ status: 409, body: `{"status":"CONFLICT","message":"${conflict}"}` }) },
  { title: "no answer in time", member: before("hang") },
  { title: "half an answer", member: before("truncate") },
  { title: "an empty answer", member: before("empty") },
  { title: "a page in place of an answer", member: before("not-json") },
  { title: "the server is gone from here on", member: "refused", onward: "refused" },
  { title: "503 from here on", member: before({ status: 503, body: "busy" }), onward: before({ status: 503 }) },
];

export const writeMishaps: readonly InjectedFault[] = [
  { title: "the connection is refused", member: "refused" },
  ...([before, after] as const).flatMap((at, index): readonly InjectedFault[] => {
    const when = index === 0 ? "before it takes effect" : "after it took effect";
    return [
      { title: `the connection is reset ${when}`, member: at("reset") },
      { title: `500 ${when}`, member: at({ status: 500 }) },
      { title: `500 in the API's words ${when}`, member: at({ status: 500, body: own }) },
      { title: `503 ${when}`, member: at({ status: 503, body: "busy" }) },
      { title: `409 ${when}`, member: at({ status: 409, body: `{"status":"CONFLICT","message":"${conflict}"}` }) },
      { title: `no answer in time ${when}`, member: at("hang") },
      { title: `half an answer ${when}`, member: at("truncate") },
      { title: `nothing can be read any more, reset ${when}`, member: at("reset"), onward: "refused" },
      { title: `503 from here on ${when}`, member: at({ status: 503 }), onward: before({ status: 503 }) },
    ];
  }),
  { title: "429", member: before({ status: 429, headers: { "retry-after": "1" } }) },
  {
    title: "500 version conflict",
    member: before({ status: 500, body: `{"status":"INTERNAL_SERVER_ERROR","message":"Error [roles]: ${conflict}"}` }),
  },
  { title: "an empty answer after it took effect", member: after("empty") },
  { title: "a page in place of an answer after it took effect", member: after("not-json") },
  { title: "the server is gone from here on", member: "refused", onward: "refused" },
];

const looksFail: readonly (readonly [string, InBetween])[] = [
  ["and the next connection is refused", "refused"],
  ["and the next answer is a page", before("not-json")],
];

/** A write that goes wrong, and the first look at what came of it as well. */
export const pairsOfMishaps: readonly InjectedFault[] = writeMishaps.flatMap((injectedFault) =>
  !("member" in injectedFault) || injectedFault.onward !== undefined || injectedFault.member === "refused"
    ? []
    : looksFail.map(([title, next]) => ({ ...injectedFault, title: `${injectedFault.title}, ${title}`, next })),
);

/** What another writer may do to the entries of a plan, one after the other, and to their neighbours. */
export function secondWriters(
  addresses: readonly Address[],
  moved: (family: FamilyName) => Json,
): readonly InjectedFault[] {
  const entries = addresses.map(placeOf).filter(({ family }) => isFamilyName(family));
  const families = [...new Set(entries.map(({ family }) => family))].filter(isFamilyName);
  const others = families.flatMap((family) => [kept(family), ...theirs].map((name) => ({ family, name })));
  return [
    ...entries.flatMap(({ family, name }): readonly InjectedFault[] =>
      isFamilyName(family)
        ? [
            { title: `another writer writes ${family}/${name}`, deed: writing([{ family, name }], moved) },
            { title: `another writer deletes ${family}/${name}`, deed: deleting(family, name) },
          ]
        : [],
    ),
    ...(others.length > 0 ? [{ title: "another writer writes neighbours", deed: writing(others, moved) }] : []),
  ];
}

/** One that is there, and a new one. */
const theirs = ["other_team_x", "other_team_y"];

function placeOf(address: Address): { readonly family: string; readonly name: string } {
  const slash = address.indexOf("/");
  return { family: address.slice(0, slash), name: address.slice(slash + 1) };
}

interface Place {
  readonly family: FamilyName;
  readonly name: string;
}

function writing(places: readonly Place[], moved: (family: FamilyName) => Json): Deed {
  return {
    addresses: places.map(({ family, name }) => createAddress(family, name)),
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

function deleting(family: FamilyName, name: string): Deed {
  return {
    addresses: [createAddress(family, name)],
    done: (held) => ({ ...held, [family]: new Map([...held[family]].filter(([other]) => other !== name)) }),
  };
}
