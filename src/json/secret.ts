import { inspect } from "node:util";

/** The reference of a secret that is in a state file as plain text. */
export const plainTextReference = "in the state file";

/**
 * A string that must never be shown. It may be wherever a JSON string may be, so that what holds one cannot be
 * printed by accident: every way of turning it into text gives its reference, never its value.
 */
export class Secret {
  readonly #value: string | undefined;

  readonly reference: string;
  readonly source?: string | undefined;
  readonly shown?: string | undefined;

  /**
   * @param reference what may be shown in its place: `${env:NAME}`, `${file:path}`, or `live` for one the server holds
   * @param value     the secret text; undefined while only the shape of the files is checked (`validate`)
   * @param source    the reference that gives all of it again, `${file:…}` with an absolute path; absent where the text
   *                  is composed of several parts, or is in a file itself
   * @param shown     of a text that is secret only in parts: the text, with `(secret ${env:NAME})` for these
   */
  constructor(reference: string, value?: string, source?: string, shown?: string) {
    this.reference = reference;
    this.source = source;
    this.shown = shown;
    this.#value = value;
  }

  /** The text itself: for the wire and for comparing, nowhere else. */
  reveal(): string {
    if (this.#value === undefined) throw new Error(`The value of ${this.reference} was not resolved.`);
    return this.#value;
  }

  get resolved(): boolean {
    return this.#value !== undefined;
  }

  /** Without the text around its parts, for fields that are secret as a whole. */
  whole(): Secret {
    return this.shown === undefined ? this : new Secret(this.reference, this.#value, this.source);
  }

  toString(): string {
    return this.shown ?? `(secret ${this.reference})`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
