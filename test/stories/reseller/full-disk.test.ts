import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { freePort } from "../../../src/sandbox/bench/ports.ts";
import type { Crashing } from "../crashing.ts";
import { said, writes } from "../story.ts";
import { deliver, keptEvents, type Raised, send } from "./delivering.ts";
import { startCrashingResellerStory } from "./selling.ts";

/** Lets no file of the running app grow beyond `bytes`: the machine itself refuses what it writes then. */
function limitFiles(story: Crashing, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(story.pid()), `--fsize=${bytes}:`]);
}

function fillDisk(story: Crashing): void {
  limitFiles(story, statSync(`${(story.environment.STORE_URL ?? "").replace("sqlite:", "")}-wal`).size);
}

async function readiness({ environment }: Crashing): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${environment.PORT}/readyz`);
  return `${answer.status} ${await answer.text()}`;
}

function suspension(order: string): Raised {
  const data = { orderId: order, orderNumber: order, serviceId: `service-${order}`, hostname: `host-${order}` };
  return { id: randomUUID(), event: "service.suspended", data };
}

test("while the disk is full no delivery is taken, and every message gives the reason; with room again each is there once", async (context) => {
  if (spawnSync("prlimit", ["--version"]).status !== 0) context.skip("prlimit, which fills the disk, is not installed");
  const story = await startCrashingResellerStory({
    environment: { PORT: String(await freePort()), TOLD: "warn" },
    oneTime: true,
  });
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts add #ops", "Saved");
  const before = suspension("RES-1");
  await deliver(story, before);
  const cards = () => ana.sees().filter((message) => said(message).includes("by webhook,"));
  await story.later(() => cards().length === 1, "the first card");
  expect(await readiness(story)).toMatch(/^200 /);

  fillDisk(story);
  const meanwhile = ["RES-2", "RES-3", "RES-4"].map(suspension);
  const answers = await Promise.all(meanwhile.map((raised) => send(story, raised)));
  for (const answer of answers) {
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get("retry-after")).toBe("60");
  }
  expect(await readiness(story)).toMatch(/^503 .*The disk did not take what was to be written/);
  expect(story.output()).toContain("A webhook delivery could not be stored; the platform sends it again");
  expect(story.output()).toContain("Make room, or check the disk.");
  const sent = writes(story).length;
  await story.ask(ana, "/vps cancel web-1", "could not store this request", "its disk may be full");
  expect(writes(story).slice(sent)).toEqual([]);

  const retried = Promise.all(meanwhile.map((raised) => deliver(story, raised)));
  limitFiles(story, "unlimited");
  await retried;
  expect(await readiness(story)).toMatch(/^200 /);
  await story.later(() => cards().length === 4, "each card");
  await story.ask(ana, "/vps cancel web-1", "asks to");
  // A delivery that was taken before, or is sent once more, makes no second card.
  for (const raised of [before, ...meanwhile])
    expect(await (await send(story, raised))?.text()).toBe("Known already.\n");
  expect(cards()).toHaveLength(4);
  await story.kill();
  const events = await keptEvents(story, 20);
  expect(events.map(({ data }) => data.orderId).toSorted()).toEqual(["RES-1", "RES-2", "RES-3", "RES-4"]);
}, 90_000);
