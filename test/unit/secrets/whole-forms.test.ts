// Every form of a login is found, also by what is looked for first in a long text. The forms are those of the canaries.
import { describe, expect, it } from "vitest";
import { listAnchors, listWholeForms } from "../../../src/secrets/repeats.ts";
import { formsOf } from "../../canaries/canaries.ts";

describe.each(["hunter2!", `C4nary "p\\ass/w+d<é`, "päss wörd 1", "Y2k6aHVudGVyMg==", "!?%&/()=+'\"", "a1b!c2d?e3f"])(
  "%s",
  (secret) => {
    // What remains of base64 without its edges may be too short to be known.
    const forms = formsOf(secret).filter((form) => form.length >= 8);

    it("is found in each form", () => {
      const whole = listWholeForms(secret);
      expect(forms.filter((form) => !whole.some((known) => `x ${form} y`.includes(known)))).toEqual([]);
      expect(forms.filter((form) => !listAnchors(secret).some((anchor) => form.includes(anchor)))).toEqual([]);
    });

    it("has its longest forms first, so that none is left in part", () => {
      const lengths = listWholeForms(secret).map(({ length }) => length);
      expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
    });
  },
);

it("is not looked for where nothing of it is", () =>
  expect(listAnchors("hunter2!").some((anchor) => "logs-app and hr-*".includes(anchor))).toBe(false));
