import { pino } from "pino";
import { actorOf } from "../../access/access.ts";
import { createNameIndex } from "../../access/name-index.ts";
import { sleep, systemClock } from "../../clock.ts";
import { describeCustomerKey } from "../../identities/customer-key.ts";
import { type IndexedKind, indexedKindOf } from "../../operation/target.ts";
import { vps } from "../../operations/vps/vps.ts";
import { createPlatform } from "../../platform/platform.ts";
import { createSandboxClock } from "../clock.ts";
import { services } from "./estate.ts";
import { plainRow, type Row } from "./report.ts";
import { openWorld, type World } from "./the-world.ts";

const hour = 60 * 60_000;
const stepMs = 30_000;

/** What an hour of keeping a directory costs of a key's 1,000 calls: used twice a minute, and used once. By a clock that is moved on. */
export async function upkeep(): Promise<Row[]> {
  const world = await openWorld({});
  await world.grow(services);
  const busy = await hourOfUse(world, () => true);
  const idle = await hourOfUse(world, (at) => at === 0);
  world.stop();
  return [
    plainRow("keeping a directory of 10,000 for an hour of steady use: platform calls", busy, null),
    plainRow("keeping it for an hour after one use: platform calls", idle, null),
  ];
}

async function hourOfUse(world: World, used: (at: number) => boolean): Promise<number> {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const platform = createPlatform({ url: world.platformUrl, clock, log });
  const key = await world.key();
  const who = { member: "T:bench", slackUser: "bench" };
  const link = await describeCustomerKey(platform.customer({ key }), who, clock.now());
  const viewer = { client: platform.customer({ key }), link, actor: actorOf(link) };
  const directory = createNameIndex({ clock, log });
  let reading = 0;
  const kind: IndexedKind<"customer"> = {
    ...indexedKindOf(vps),
    async entries(by, query) {
      reading += 1;
      return indexedKindOf(vps)
        .entries(by, query)
        .finally(() => {
          reading -= 1;
        });
    },
  };
  const calls = await world.callsOf(async () => {
    for (let at = 0; at < hour; at += stepMs) {
      if (used(at)) await directory.listing(viewer, kind);
      // What was begun behind the answer ends before time goes on.
      while (reading > 0) await sleep(systemClock, 5);
      clock.skip(stepMs);
    }
    directory.stop();
    await platform.close();
  });
  return calls.length;
}
