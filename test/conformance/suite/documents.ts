import type { Stage } from "./stage.ts";

export type Config = { readonly dynamic: Readonly<Record<string, unknown>> };

/** The document as GET shows it, without its key. */
export async function configOf({ ask, words }: Stage): Promise<Config> {
  const { json } = await ask({ method: "GET", path: words.config.path });
  return (json as Record<string, Config>)[words.config.key] as Config;
}

/** Names of the login domains that are switched off. */
export function disabledIn({ dynamic }: Config): readonly string[] {
  const domains = Object.entries((dynamic.authc ?? {}) as Record<string, { readonly http_enabled: boolean }>);
  return domains.filter(([, domain]) => !domain.http_enabled).map(([name]) => name);
}
