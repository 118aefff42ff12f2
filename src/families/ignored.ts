/**
 * Fields of a resource that no server ever read: the tool that wrote them kept its own books by them. They are said to
 * be without effect, and go no further.
 */
export const ignoredFields: ReadonlySet<string> = new Set(["expires"]);
