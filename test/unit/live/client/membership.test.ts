// Several URLs of one target: none is sent anything before it shows the same cluster as the others, or as the plan.
import { describe, expect, it } from "vitest";
import { RunError } from "../../../../src/diagnostics/failure.ts";
import type { Target } from "../../../../src/model/target.ts";
import { type Answering, putOf, readerOf, type Seen, serve, targetAt, writerOf } from "./served.ts";

const dead = "http://127.0.0.1:1";
const methods = (seen: readonly Seen[]) => seen.map(({ method, path }) => `${method} ${path}`);

type Root = Answering | number | { readonly cluster_name?: string; readonly cluster_uuid?: string };

const a = { cluster_name: "search", cluster_uuid: "A" };
const b = { cluster_name: "search", cluster_uuid: "B" };

/** A server with this answer to `GET /`. */
function node(root: Root) {
  return serve((request, response, seen) => {
    if (request.path !== "/") return response.end("{}");
    if (typeof root === "function") return root(request, response, seen);
    if (typeof root === "number") return response.writeHead(root).end("{}");
    response.end(JSON.stringify(root));
  });
}

const plannedFor = { clusterName: "search", clusterUuid: "A" };
const another: readonly (readonly [name: string, root: Root, reported: string])[] = [
  ["another uuid", b, "shows the cluster search (uuid B)"],
  ["another name", { ...a, cluster_name: "other" }, "shows the cluster other (uuid A)"],
  ["no uuid", { cluster_name: "search" }, "shows the cluster search,"],
  ["the uuid of a node without a cluster", { ...a, cluster_uuid: "_na_" }, "shows the cluster search,"],
  ["no name", { cluster_uuid: "A" }, "shows the cluster with the uuid A,"],
  ["a refusal", 403, "shows no cluster (GET / answered 403)"],
  ["nothing", 404, "shows no cluster (GET / answered 404)"],
  ["an empty answer", {}, "shows no cluster (GET / answered 200)"],
];

describe("an address with", () => {
  it.each(another)("%s gets no write", async (_name, root, reported) => {
    const { url, seen } = await node(root);
    const writer = writerOf(targetAt(dead, { otherUrls: [url], cluster: plannedFor }));
    const answer = await writer.send(putOf());
    expect(answer).toMatchObject({ unsent: true, lost: expect.stringContaining(`${url} ${reported}`) });
    expect(answer).toMatchObject({ lost: expect.stringContaining("the plan is for search (uuid A)") });
    expect(methods(seen)).toEqual(["GET /"]);
  });

  it.each(another)("%s is not read beside the first", async (_name, root, reported) => {
    const [first, second] = [await node(a), await node(root)];
    const reader = readerOf(targetAt(first.url, { otherUrls: [second.url] }));
    await reader.get("/");
    await reader.get("/roles");
    first.server.closeAllConnections();
    await new Promise((closed) => first.server.close(closed));
    const error: unknown = await reader.get("/roles").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunError);
    expect(error).toMatchObject({ kind: "usage", userMessage: { what: expect.stringContaining(reported) } });
    expect(error).toMatchObject({
      userMessage: { what: expect.stringContaining(`${first.url} shows search (uuid A)`) },
    });
    expect(methods(second.seen)).toEqual(["GET /"]);
  });

  it("the same cluster takes over, and is asked once", async () => {
    const [first, second] = [await node(a), await node(a)];
    const writer = writerOf(targetAt(first.url, { otherUrls: [second.url], cluster: plannedFor }));
    await writer.get("/roles");
    first.server.closeAllConnections();
    await new Promise((closed) => first.server.close(closed));
    // What is sent last to a closed connection may have arrived: reads find out, and are sent again.
    await writer.get("/roles");
    for (const _time of [1, 2]) expect(await writer.send(putOf())).toMatchObject({ status: 200 });
    expect(methods(first.seen)).toEqual(["GET /", "GET /roles"]);
    expect(methods(second.seen)).toEqual(["GET /", "GET /roles", "PUT /api/roles/r", "PUT /api/roles/r"]);
  });

  it("no cluster takes over where the first shows none either", async () => {
    const { url, seen } = await node(403);
    const writer = writerOf(targetAt(dead, { otherUrls: [url], cluster: {} }));
    expect(await writer.send(putOf())).toMatchObject({ status: 200 });
    expect(methods(seen)).toEqual(["GET /", "PUT /api/roles/r"]);
  });

  it("a cluster does not take over where the first shows none", async () => {
    const { url, seen } = await node(a);
    const writer = writerOf(targetAt(dead, { otherUrls: [url], cluster: {} }));
    expect(await writer.send(putOf())).toMatchObject({ unsent: true });
    expect(methods(seen)).toEqual(["GET /"]);
  });
});

describe("a node that", () => {
  const target = (urls: readonly [string, ...string[]]): Target =>
    targetAt(urls[0], { otherUrls: urls.slice(1), cluster: plannedFor });

  it.each([429, 500, 503])("answers GET / with %i gets no write, which the next one gets", async (status) => {
    const [first, second] = [await node(status), await node(a)];
    expect(await writerOf(target([first.url, second.url])).send(putOf())).toMatchObject({ status: 200 });
    expect([methods(first.seen), methods(second.seen)]).toEqual([["GET /"], ["GET /", "PUT /api/roles/r"]]);
  });

  it("hangs up at GET / gets no write, which the next one gets", async () => {
    const [first, second] = [await node((_request, response) => response.destroy()), await node(a)];
    expect(await writerOf(target([first.url, second.url])).send(putOf())).toMatchObject({ status: 200 });
    expect(methods(first.seen)).toEqual(["GET /"]);
  });

  it("is alone is said to be unwell: nothing was sent", async () => {
    const { url, seen } = await node(503);
    const sent = await writerOf(target([url, dead])).send(putOf());
    expect(sent).toMatchObject({ unsent: true, lost: expect.stringContaining("GET / answered 503") });
    expect(methods(seen)).toEqual(["GET /"]);
  });

  it("is the only address is not asked", async () => {
    const { url, seen } = await node(b);
    await writerOf(targetAt(url, { cluster: plannedFor })).send(putOf());
    expect(methods(seen)).toEqual(["PUT /api/roles/r"]);
  });
});
