/** How a text is to be shown; the door that knows the terminal decides it. */
export interface Style {
  readonly color: boolean;
  /** Columns of a line. Names that are longer stand uncut all the same. */
  readonly width: number;
  /** Long values uncut. */
  readonly full: boolean;
  /** What is left alone is listed too, and what is deleted is shown. */
  readonly verbose: boolean;
}
