// Requests to the API of a forge.
const attempts = 3;
const pageSize = 100;

/** An answer that is no success; without a status, none came. */
class ApiError extends Error {
  constructor(line, status, text, isThrottled = false) {
    super(`${line}: ${status ?? "no answer"}: ${text.slice(0, 300)}`);
    this.status = status;
    this.isPassing = status === undefined || status >= 500 || status === 429 || isThrottled;
  }
}

/** @param line what an error names instead of the URL */
export async function send(method, url, { line, token, body }) {
  const noAnswer = (error) => {
    throw new ApiError(line, undefined, String(error.cause?.message ?? error.message));
  };
  const answer = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      // No header of a forge's own: fetch hands this one alone to no other host that an answer redirects to.
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "user-agent": "gate-sync",
    },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  }).catch(noAnswer);
  const text = await answer.text().catch(noAnswer);
  if (answer.ok) return text;
  const isThrottled = answer.headers.has("retry-after") || answer.headers.get("x-ratelimit-remaining") === "0";
  throw new ApiError(line, answer.status, text, answer.status === 403 && isThrottled);
}

/** What a list has on all its pages, one after the other. */
export async function* listAll(request, path) {
  for (let page = 1; ; page++) {
    const found = await request("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${page}`);
    yield* found;
    if (found.length < pageSize) return;
  }
}

/** All of it again where the forge does not answer, or not yet: doing it twice has to be harmless. */
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
