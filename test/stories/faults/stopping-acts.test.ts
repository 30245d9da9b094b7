import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { openPractice, startMain } from "../main-process.ts";
import { fileStore, said } from "../story.ts";

if (!hasRedis) process.stdout.write("No redis-server was found: stops on Redis are left out.\n");

const stores = [
  ["SQLite", async () => fileStore()],
  ...(hasRedis ? [["Redis", async () => (await ownRedis()).url] as const] : []),
] as const;

/** Commands in the last milliseconds before the signal, in so many rounds. */
const commands = 20;
const rounds = 2;

describe.each(stores)("on %s", (_, storeUrl) => {
  test.each([
    ["over HTTP", true],
    ["over a socket", false],
  ])(
    "each command that was acknowledged before a stop is answered before its end (%s)",
    async (_, http) => {
      const practice = await openPractice({ STOP_GRACE: "30s", STORE_URL: await storeUrl() });
      const { slack } = practice;
      const ana = slack.as("ana");
      let answered = 0;
      for (let round = 0; round < rounds; round += 1) {
        const main = await startMain(practice, { http });
        if (!http) await slack.connected();
        const typed = Array.from({ length: commands }, async (_, at) => {
          await wait(2 * at);
          // A command that is not acknowledged is no promise: Slack says that the app did not answer.
          return ana.type("/rackbell help").then(
            () => true,
            () => false,
          );
        });
        await wait(2 * commands);
        const before = ana.sees().length;
        expect((await main.terminate()).code).toBe(0);
        const taken = (await Promise.all(typed)).filter((acknowledged) => acknowledged).length;
        answered += taken;
        expect(taken).toBeGreaterThan(0);
        // The signal came while Rackbell worked on some of them.
        expect(before).toBeLessThan(answered);
        expect(ana.sees().length).toBeGreaterThanOrEqual(answered);
      }
      const last = await startMain(practice, { http });
      if (!http) await slack.connected();
      await ana.type("/rackbell commands");
      await slack.until(() => said(ana.lastSeen()).includes("command"), "an answer of the next start");
      expect(
        ana
          .sees()
          .map(said)
          .filter((text) => text.includes("restarted while")),
      ).toEqual([]);
      expect((await last.terminate()).code).toBe(0);
    },
    120_000,
  );
});
