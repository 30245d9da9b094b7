import { expect, test } from "vitest";
import { goAhead, startStory, writes } from "../story.ts";

// A VPS is a service, too: whatever noun names it, it is one thing.

const refused = { status: 503, body: { success: false, code: "PROVIDER_ERROR", error: "The hypervisor refused" } };

test("a 503 is an unknown outcome, and the other noun waits until it is clear", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [one, other, name] of [
    ["vps", "service", "web-2"],
    ["service", "vps", "web-1"],
  ]) {
    platform.clearCalls();
    platform.faults.next({ how: refused, method: "POST" });
    await story.ask(ana, `/${one} reboot ${name} force=yes`, "The outcome is unknown");
    await story.ask(ana, `/${other} reboot ${name} force=yes`, "its outcome is still unknown", "Nothing else was done");
    await story.ask(ana, `/${other} stop ${name} force=yes`, "its outcome is still unknown");
    expect(writes(story), `/${one}`).toHaveLength(1);
  }
});

test("while a change is being sent, one by another noun is refused and sends nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const [first, second, title] of [
    ["/vps reboot web-2 force=yes", "/service stop web-2 force=yes", "Reboot `web-2`"],
    ["/service stop web-1 force=yes", "/vps snapshot web-1 name=now", "Stop `web-1`"],
  ] as const) {
    platform.clearCalls();
    platform.faults.next({ how: "hang", method: "POST" });
    await ana.type(first);
    await expect.poll(() => writes(story).length).toBe(1);
    await story.ask(ana, second, title, `<@${ana.user.id}>`, "is being sent right now", "nothing else was done");
    expect(writes(story), second).toHaveLength(1);
    platform.faults.resume();
  }
});

test("a request that is pressed waits for a change that is being sent by another noun", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const cancel = await story.ask(ana, "/vps cancel web-2", "asks to");
  platform.faults.next({ how: "hang", method: "POST" });
  await ana.type("/service reboot web-2 force=yes");
  await expect.poll(() => writes(story).length).toBe(1);
  await ana.press(cancel, goAhead);
  await story.sees(ana, "Reboot `web-2`", "is being sent right now");
  expect(writes(story)).toHaveLength(1);
  platform.faults.resume();
});
