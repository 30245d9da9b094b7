import { afterAll, beforeAll, describe } from "vitest";
import { storeContract } from "./contract.ts";
import { prepareRedis } from "./redis/place.ts";
import { hasRedis, type RedisServer, startRedis } from "./redis/server.ts";

if (!hasRedis) process.stdout.write("No redis-server was found: the tests of the Redis store are left out.\n");

describe.runIf(hasRedis).each([
  ["Redis", {}],
  ["Redis Cluster", { "cluster-enabled": "yes" }],
])("on a %s", (name, settings: Record<string, string>) => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis(settings);
  });
  afterAll(() => server.remove());

  storeContract({ name, facts: { unitMs: 400, skipsTime: false }, prepare: () => prepareRedis(server) });
});
