import { expect, test } from "vitest";
import { type Crashing, tellCrashing } from "./crashing.ts";
import { goAhead, said } from "./story.ts";

function ends({ platform }: Crashing): number {
  return platform.calls().filter(({ method, path }) => method === "DELETE" && path.includes("/vps/")).length;
}

/** The end of web-1, decided and planned. Two minutes of the app's own take six seconds. */
async function planned(): Promise<Crashing> {
  const crashing = await tellCrashing();
  const { ana } = crashing;
  const asked = await crashing.ask(ana, "/vps cancel web-1 in=2m", "asks to", "*When*");
  await ana.press(asked, goAhead);
  await crashing.sees(ana, "It is scheduled for");
  return crashing;
}

test("killed while it waits: it is begun when its time comes, once", async () => {
  const crashing = await planned();
  const { ana, platform } = crashing;
  await crashing.kill();
  expect(ends(crashing)).toBe(0);
  await crashing.start();
  await crashing.sees(ana, "it starts now, as it was planned");
  await crashing.sees(ana, "Keep it");
  expect(platform.findVps("web-1").cancellation).not.toBeNull();
  expect(ends(crashing)).toBe(1);
}, 60_000);

test("killed right after it began: what is really so is found out, and nothing is done twice", async () => {
  const crashing = await planned();
  const { ana, platform } = crashing;
  platform.faults.next({ how: "hang", method: "DELETE", path: "/vps/{id}", applied: true });
  await crashing.later(() => ends(crashing) === 1, "the call");
  await crashing.kill();
  platform.faults.resume();
  await crashing.start();
  await crashing.later(
    () => ana.sees().some((message) => said(message).includes("Keep it") && !said(message).includes("asks to")),
    "the end",
  );
  expect(platform.findVps("web-1").cancellation).not.toBeNull();
  expect(ends(crashing)).toBe(1);
}, 60_000);
