import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { masked } from "../recorded/mask.ts";
import type { Answered, Asked, Facts, Stage, Who } from "./stage.ts";
import { type Kind, settings } from "./stages.ts";
import { type Words, wordsOf } from "./words.ts";

/** One thing that a server does, as the requests that show it, or as work where requests alone do not. */
export interface Case {
  readonly title: string;
  readonly steps: readonly Step[] | ((stage: Stage) => Promise<void>);
}

/** A request and what it must be answered. */
export interface Step extends Omit<Asked, "method" | "path"> {
  /** `METHOD path`. */
  readonly ask: string;
  readonly status: number;
  /**
   * The whole answer where it is JSON (what differs from run to run left out); a pattern in its text; or a function that
   * throws where it is not right. Absent: whatever it says.
   */
  readonly shows?: unknown;
}

/** Runs the cases on every server of that kind. */
export function onServers(kind: Kind, title: string, cases: (words: Words, facts: Facts) => readonly Case[]): void {
  for (const setting of settings(kind)) {
    describe(`${title}: ${setting.title}`, () => {
      let stage: Stage | undefined;
      const opened = (): Stage => {
        if (stage === undefined) throw new Error("bug: the server is not there yet");
        return stage;
      };
      beforeAll(async () => {
        stage = await setting.open();
      }, 60_000);
      afterEach(() => opened().reset(), 120_000);
      afterAll(() => stage?.close());
      for (const { title: explained, steps } of cases(wordsOf(setting.facts), setting.facts)) {
        it(explained, { timeout: 180_000 }, () => playCase(opened(), steps));
      }
    });
  }
}

export async function playCase(stage: Stage, steps: Case["steps"]): Promise<void> {
  if (typeof steps === "function") return steps(stage);
  for (const step of steps) {
    const { ask, status, shows, ...rest } = step;
    const [, method = "", path = ""] = /^(\w+) (.*)$/s.exec(ask) ?? [];
    const answer = await stage.ask({ method, path, ...rest });
    hold(step, answer);
  }
}

function hold({ ask, status, shows, who }: Step, answer: Answered): void {
  const explained = `${ask}${who === undefined ? "" : ` as ${who}`} → ${answer.status} ${answer.text.slice(0, 500)}`;
  expect(answer.status, explained).toBe(status);
  if (shows instanceof RegExp) expect(answer.text, explained).toMatch(shows);
  else if (typeof shows === "function") shows(answer);
  else if (shows !== undefined) expect(masked(answer.json), explained).toEqual(masked(shows));
}

/** The one envelope of messages. */
export function reported(status: keyof typeof names, message: string) {
  return { status: names[status], message };
}

const names = {
  200: "OK",
  201: "CREATED",
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  500: "INTERNAL_SERVER_ERROR",
  501: "NOT_IMPLEMENTED",
} as const;

/** A step that must only succeed: what a case needs to begin with. */
export function given(ask: string, send: unknown, who?: Who): Step {
  return { ask, send, status: 201, ...(who && { who }) };
}

/** Cases, or steps, for the servers of which something is true. */
export function where<T extends Case | Step>(holds: boolean, those: readonly T[]): readonly T[] {
  return holds ? those : [];
}
