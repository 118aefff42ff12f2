/** Why something cannot be edited in place: the end of a sentence. */
export class NotEditable extends Error {}
