import { Secret } from "../json/secret.ts";
import type { AwsKeys, Credentials } from "../model/target.ts";
import { type CommandPlace, readCommand } from "./command.ts";
import type { AwsConfig } from "./target-words.ts";

type Service = "es" | "aoss";

/**
 * How to sign requests to Amazon OpenSearch Service. Its host names contain region and service; for a custom host
 * name the region comes from AWS_REGION or AWS_DEFAULT_REGION.
 *
 * @param url the first URL of the target
 * @throws RunError `invalid` where no region or no keys are found
 */
export function readAwsCredentials(own: AwsConfig, url: string | undefined, place: CommandPlace): Credentials {
  const { env, read } = place;
  const host = url === undefined ? {} : hostFacts(new URL(url).hostname);
  const stated = own.region === undefined ? undefined : read.publicText(own.region, ["auth", "aws", "region"]);
  const region = stated || host.region || variable("AWS_REGION", env) || variable("AWS_DEFAULT_REGION", env);
  if (!region) return read.fail(noRegion, ["auth", "aws"]);
  const keys = own.exec ? readCommand(own.exec, ["auth", "aws", "exec"], place) : keysOf(place);
  return { kind: "aws", region, service: own.service ?? host.service ?? "es", keys };
}

/** `search-logs-abc.eu-west-1.es.amazonaws.com`, `abc.eu-west-1.aoss.amazonaws.com`, `abc.aos.eu-west-1.on.aws` */
function hostFacts(host: string): { readonly region?: string | undefined; readonly service?: Service } {
  const [, region, service] = /(?:^|\.)([a-z0-9-]+)\.(es|aoss)\.amazonaws\.com(?:\.cn)?$/i.exec(host) ?? [];
  const [, shortService, lastRegion] = /(?:^|\.)(aos|aoss)\.([a-z0-9-]+)\.on\.aws$/i.exec(host) ?? [];
  const known = service ?? shortService;
  if (known === undefined) return {};
  return { region: region ?? lastRegion, service: known.toLowerCase() === "aoss" ? "aoss" : "es" };
}

function keysOf({ env, read }: CommandPlace): AwsKeys {
  const [accessKeyId, secretAccessKey] = [variable("AWS_ACCESS_KEY_ID", env), secret("AWS_SECRET_ACCESS_KEY", env)];
  if (accessKeyId === undefined) return read.fail(noKeys("AWS_ACCESS_KEY_ID"), ["auth", "aws"]);
  if (!secretAccessKey) return read.fail(noKeys("AWS_SECRET_ACCESS_KEY"), ["auth", "aws"]);
  const sessionToken = secret("AWS_SESSION_TOKEN", env);
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

function variable(name: string, env: CommandPlace["env"]): string | undefined {
  return (Object.hasOwn(env, name) && env[name]) || undefined;
}

function secret(name: string, env: CommandPlace["env"]): Secret | undefined {
  const value = variable(name, env);
  return value === undefined ? undefined : new Secret(`\${env:${name}}`, value);
}

const noRegion = {
  code: "missing-field",
  userMessage: {
    what: "The region of the AWS domain is not known.",
    why: "Requests are signed for one region, and the host name does not show it.",
    fix: "Write auth: { aws: { region: eu-west-1 } }, or set AWS_REGION.",
  },
} as const;

function noKeys(name: string) {
  return {
    code: "unset-secret",
    userMessage: {
      what: `The environment variable ${name} is not set.`,
      why: "Without AWS keys, no request can be signed.",
      fix: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let the AWS CLI print them: auth: { aws: { exec: [aws, configure, export-credentials, --format, process] } }.",
    },
  } as const;
}
