/** The words of the Language Server Protocol that are used here. */
export type {
  CodeAction,
  CompletionItem,
  Diagnostic as ShownDiagnostic,
  Hover,
  Location,
  Position as ProtocolPosition,
  Range as ProtocolRange,
  TextEdit as ProtocolEdit,
  WorkspaceEdit,
} from "vscode-languageserver-types";
