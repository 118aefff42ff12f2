/** How a text is to be shown; `cli/`, which knows the terminal, decides it. */
export interface Style {
  readonly color: boolean;
  /** Columns of a line. Longer names stay uncut all the same. */
  readonly width: number;
  /** Long values uncut. */
  readonly full: boolean;
  /** What is left alone is listed too, and what is deleted is shown. */
  readonly verbose: boolean;
}
