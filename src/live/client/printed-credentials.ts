import { Secret } from "../../json/secret.ts";
import type { AwsKeys } from "../../model/target.ts";

export type CommandCredentials =
  | { readonly kind: "basic"; readonly username: string; readonly password: Secret }
  | { readonly kind: "bearer"; readonly token: Secret }
  /** `expires` as the command wrote it: a date and a time of ISO 8601. */
  | { readonly kind: "aws-keys"; readonly keys: AwsKeys; readonly expires?: string };

/** The accepted forms, for messages. */
export const printedForms =
  '{"username": …, "password": …}, {"token": …}, an ExecCredential with a token, or keys as the AWS CLI prints them';

/**
 * The credentials in what a program printed. A string says what is wrong with it, as the end of a sentence that begins
 * with the program; it repeats nothing of the output.
 *
 * @param program may be shown in place of the secrets
 */
export function parsePrintedCredentials(output: string, program: string): CommandCredentials | string {
  const printed = objectIn(output);
  if (!printed) return output.trim() === "" ? "prints nothing" : "prints something else than one JSON object";
  const status = printed.kind === "ExecCredential" && printed.status;
  const reported = isRecord(status) ? status : printed;
  const secret = (field: string): Secret | undefined => {
    const value = textOf(reported[field]);
    return value === undefined ? undefined : new Secret(`${field} printed by ${program}`, value);
  };
  const token = secret("token");
  if (token) return { kind: "bearer", token };
  if (reported.clientCertificateData !== undefined) return "prints a client certificate, which only `tls` can give";
  const [username, password] = [textOf(reported.username), secret("password")];
  if (username !== undefined && password) return { kind: "basic", username, password };
  if (username !== undefined || password) return "prints only half of a login";
  return awsKeys(reported, secret) ?? "prints JSON without credentials";
}

function awsKeys(
  reported: Printed,
  secret: (field: string) => Secret | undefined,
): CommandCredentials | string | undefined {
  const [accessKeyId, secretAccessKey] = [textOf(reported.AccessKeyId), secret("SecretAccessKey")];
  if (accessKeyId === undefined && !secretAccessKey) return undefined;
  if (accessKeyId === undefined || !secretAccessKey) return "prints only half of a pair of AWS keys";
  const [sessionToken, expires] = [secret("SessionToken"), textOf(reported.Expiration)];
  return {
    kind: "aws-keys",
    keys: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    ...(expires !== undefined && { expires }),
  };
}

type Printed = Readonly<Record<string, unknown>>;

function objectIn(output: string): Printed | undefined {
  try {
    // Programs of Windows begin their output with a byte order mark.
    const value: unknown = JSON.parse(output.replace(/^\ufeff/, ""));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Printed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What cannot be sent in a header counts as not there, and so does an empty text. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && !/[\r\n\0]/.test(value) ? value : undefined;
}
