import { createFormHider } from "../live/client/hiding.ts";

/** Hides forms of our login in what is written, once they are known to be in an answer. */
export function createLoginHider(): {
  readonly add: (forms: readonly string[]) => void;
  readonly hide: (text: string) => string;
} {
  const known = new Set<string>();
  let hide = createFormHider([]);
  return {
    add(forms) {
      for (const form of forms) known.add(form);
      hide = createFormHider([...known]);
    },
    hide: (text) => hide(text),
  };
}
