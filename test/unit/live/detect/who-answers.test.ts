import { expect, test } from "vitest";
import { guessWhoAnswers } from "../../../../src/live/detect/who-answers.ts";
import { createUnauthorisedMessage } from "../../../../src/live/unreadable.ts";
import type { HttpAnswer } from "../../../../src/model/ports.ts";

const answerOf = (answer: Partial<HttpAnswer>): HttpAnswer => ({
  status: 200,
  text: "",
  body: undefined,
  milliseconds: 1,
  ...answer,
});

const dashboards = "Kibana or OpenSearch Dashboards";

/** The answer to `GET /`, and how the sentence about it begins. */
const answers: Readonly<Record<string, readonly [Partial<HttpAnswer>, string | undefined]>> = {
  "sends on to its pages": [{ status: 302, location: "/app/home" }, dashboards],
  "sends on below a path of its own": [{ status: 302, location: "/kibana/login?next=%2F" }, dashboards],
  "speaks of errors as it does": [{ status: 404, body: { statusCode: 404, error: "Not Found" } }, dashboards],
  "shows its page": [{ text: '<!DOCTYPE html><html><kbn-injected-metadata data="{}">' }, dashboards],
  "is any web page": [{ text: "<!doctype html><title>Welcome to nginx!</title>" }, "A web page answers"],
  "is a login page elsewhere": [{ status: 302, location: "https://login.example/" }, undefined],
  "is JSON of something else": [{ body: { status: "ok" } }, undefined],
};

test.each(Object.entries(answers))("what answers %s", (_, [answer, beginning]) => {
  const sentence = guessWhoAnswers({ answer: answerOf(answer) });
  if (beginning === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(new RegExp(`^${beginning}`));
});

test("a search engine without the plugin is called by its name", () => {
  const answer = answerOf({});
  expect(guessWhoAnswers({ answer, engine: "7.10.2" })).toMatch(/^Elasticsearch 7\.10\.2 answers/);
  expect(guessWhoAnswers({ answer, engine: "2.19.1", distribution: "opensearch" })).toMatch(
    /^OpenSearch 2\.19\.1 answers/,
  );
});

test.each([
  ['Basic realm="Search Guard"', "It asks as “Search Guard”."],
  ['Basic realm="OpenSearch Security"', "It asks as “OpenSearch Security”."],
  ['Basic realm="Staff only", charset="UTF-8"', "it may be a proxy before the server"],
])("a login that was not accepted: whose it is, by %s", (challenge, reported) =>
  expect(createUnauthorisedMessage("/", answerOf({ status: 401, challenge })).userMessage.why).toContain(reported),
);
