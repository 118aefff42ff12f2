/**
 * Fields of a resource that no server ever read: bookkeeping of the tool that wrote them. They are reported to
 * be without effect, and go no further.
 */
export const ignoredFields: ReadonlySet<string> = new Set(["expires"]);
