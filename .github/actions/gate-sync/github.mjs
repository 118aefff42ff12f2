// The API of GitHub, as far as the action needs it.
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = process.env;
const attempts = 3;

/** An answer that is none of success; without a status, none came. */
export class ApiError extends Error {
  constructor(line, status, text, isThrottled = false) {
    super(`${line}: ${status ?? "no answer"}: ${text.slice(0, 300)}`);
    this.status = status;
    this.isPassing = status === undefined || status >= 500 || status === 429 || isThrottled;
  }
}

/** @param path below the repository */
export async function request(method, path, body) {
  const line = `${method} ${path}`;
  const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${GITHUB_TOKEN}`,
      "content-type": "application/json",
      "user-agent": "gate-sync",
      "x-github-api-version": "2022-11-28",
    },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new ApiError(line, undefined, String(error.cause?.message ?? error.message));
  });
  const text = await answer.text().catch((error) => {
    throw new ApiError(line, undefined, String(error.message));
  });
  if (answer.ok) return JSON.parse(text);
  const isThrottled = answer.headers.has("retry-after") || answer.headers.get("x-ratelimit-remaining") === "0";
  throw new ApiError(line, answer.status, text, answer.status === 403 && isThrottled);
}

/**
 * All of it again where GitHub does not answer, or only just now: what is done twice has to be harmless.
 */
export async function retry(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!error.isPassing || attempt === attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000 * attempt));
    }
  }
}

/** An annotation; of a line of text, all of it is text. */
export function annotate(level, text) {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level} title=gate-sync::${escaped}\n`);
}
