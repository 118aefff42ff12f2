/** Ends a request with an answer other than success. */
export class Refusal extends Error {
  readonly status: number;
  /** True where the request itself breaks the protocol; false where a well-formed one met a state that it does not fit. */
  readonly violation: boolean;

  constructor(status: number, message: string, violation: boolean) {
    super(message);
    this.status = status;
    this.violation = violation;
  }
}

/** The request has a form that the document does not have. */
export function undocumented(reason: string): Refusal {
  return new Refusal(400, reason, true);
}
