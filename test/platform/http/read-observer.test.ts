import { expect, test } from "vitest";
import type { ApiClient } from "../../../src/platform/http/client.ts";
import { unspecified } from "../../../src/platform/http/data.ts";
import type { ApiName } from "../../../src/platform/http/errors.ts";
import { connect, failure, makeResellerKey, ok, startServer } from "../server.ts";

const reads: Record<string, (client: ApiClient<ApiName>) => Promise<unknown>> = {
  get: (client) => client.get("/things", unspecified),
  download: (client) => client.download("/things"),
};

test.each(Object.entries(reads))("%s sends nothing before its observer counted it", async (_, read) => {
  const server = await startServer(ok({ n: 1 }));
  const { client, reseller } = connect(server.url);
  const full = new Error("The turns are used up.");

  for (const made of [client, reseller({ key: makeResellerKey(), signingSecret: null })]) {
    const before: (() => Promise<void>)[] = [async () => {}, () => Promise.reject(full)];
    const observed = made.observed({ before: () => before.shift()?.() ?? Promise.reject(full), after: () => {} });
    const seen = server.seen.length;
    await read(observed);
    expect(await failure(read(observed))).toBe(full);
    expect(server.seen.length - seen).toBe(1);
  }
});
