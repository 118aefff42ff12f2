import { hidingForms } from "../live/client/hiding.ts";

/** Hides forms of our login in what is written, once they are known to be in an answer. */
export function hidingLogin(): {
  readonly add: (forms: readonly string[]) => void;
  readonly hide: (text: string) => string;
} {
  const known = new Set<string>();
  let hide = hidingForms([]);
  return {
    add(forms) {
      for (const form of forms) known.add(form);
      hide = hidingForms([...known]);
    },
    hide: (text) => hide(text),
  };
}
