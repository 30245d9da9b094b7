import { describe, expect, test } from "vitest";
import {
  type Actor,
  backOut,
  goAhead,
  type Member,
  type Message,
  peer,
  type Story,
  said,
  startStory,
} from "../story.ts";

const minute = 60_000;
const team: Member[] = ["ana", "ben", "caro"];

/** The replies under a request that mention its requester. */
function repliesTo({ ana }: Pick<Story, "ana">, request: Message): string[] {
  return ana
    .sees()
    .filter(({ thread_ts }) => thread_ts === request.ts)
    .map(said)
    .filter((text) => text.includes(`<@${ana.user.id}>`));
}

function replies(story: Story, request: Message, amount: number): Promise<string[]> {
  return story.slack.until(
    () => {
      const found = repliesTo(story, request);
      return found.length >= amount ? found : undefined;
    },
    `${amount} replies to ${story.ana.user.name}; there are ${repliesTo(story, request).join(" / ")}`,
  );
}

async function deny({ modal }: Story, actor: Actor, request: Message, why: string): Promise<void> {
  await actor.press(request, "request:deny");
  await modal(actor, "Deny the request");
  await actor.fill({ "Why?": why });
  await actor.submit();
}

async function reinstall({ ana, modal, sees }: Story, why: string): Promise<Message> {
  await ana.type("/vps reinstall web-2");
  await modal(ana, "Operating system");
  await ana.fill({ "Operating system": "Debian 13", Why: why });
  await ana.submit();
  return sees(ana, "asks to", "Reinstall");
}

describe("the requester is notified of each decision and each end", () => {
  test("a denial is a reply that mentions them, and Ask again… opens the form filled in", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben } = story;
    const request = await reinstall(story, "disk is full");
    await deny(story, ben, request, "Wait for Monday.");
    const [reply = ""] = await replies(story, request, 1);
    expect(reply).toContain(`<@${ben.user.id}> denied it`);
    expect(reply).toContain("web-2");
    const shown = await story.sees(ana, "Wait for Monday.", "Reinstall", "asked by");
    await story.pressing(ben, shown, "Ask again…", `Only <@${ana.user.id}>, who asked`);
    await ana.press(shown, "Ask again…");
    await story.modal(ana, "Operating system", "Debian 13", "disk is full", "web-2");
    await ana.submit();
    await story.sees(ana, "asks to", "Reinstall");
    expect(repliesTo(story, request)).toHaveLength(1);
  });

  test("an approval whose act ends at once is one reply, of its end, and so is a request that nobody decided in time", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben, clock } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    await story.pressing(ben, request, goAhead, "approved by");
    expect((await replies(story, request, 1))[0]).toContain("You can withdraw the cancellation until then");
    clock.skip(2 * minute);
    await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
    expect(repliesTo(story, request)).toHaveLength(1);
    const undecided = await story.ask(ana, "/vps cancel web-2", "asks to");
    clock.skip(61 * minute);
    expect((await replies(story, undecided, 1))[0]).toContain("expired");
  });

  test("the first of two approvals is a reply, and so is the approval of a schedule", async () => {
    const story = await startStory({ linked: team, rules: ['demand=two-approvals command="vps cancel"'] });
    const { ana, ben, caro } = story;
    const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to");
    expect(request.text).toMatch(/asks: Cancel `web-1`, scheduled for .* `web-1` ends/);
    await ben.press(request, goAhead);
    expect((await replies(story, request, 1))[0]).toMatch(/approved your request.*One more member must approve/);
    await caro.press(request, goAhead);
    expect((await replies(story, request, 2))[1]).toMatch(/approved your request.*It is scheduled for/);
  });

  test("an admin who withdraws it is named to them, and their own withdrawal makes no reply", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben, caro } = story;
    const request = await story.ask(ben, "/vps cancel web-1", "asks to");
    await story.pressing(ana, request, backOut, "withdrawn");
    const reply = await story.sees(ben, "withdrawn", `<@${ben.user.id}>`, /^(?![\s\S]*asked by)/);
    expect(reply.thread_ts).toBe(request.ts);
    const own = await story.ask(ana, "/vps cancel web-2", "asks to");
    await story.pressing(ana, own, backOut, "withdrawn");
    await story.ask(caro, "/rackbell approvals", "There are no open requests that you can see");
    expect(repliesTo(story, own)).toEqual([]);
  });

  test("in a channel that they did not ask in a mention may reach nobody: it is a direct message", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben } = story;
    await story.ask(ana, "/rackbell approvals channel #general", "are posted in");
    await story.ask(ana, "/vps cancel web-1", "is in <#");
    const request = await story.seesIn("#general", ben, "asks to");
    await deny(story, ben, request, "Not today.");
    const notice = await story.seesIn("dm", ana, "Not today.", "web-1");
    await ana.press(notice, "Ask again…");
    await story.modal(ana, "web-1");
  });

  test("a requester alone sees the end where they pressed; an expired question comes to their direct messages, to be asked again", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, clock, platform } = story;
    const pressed = await story.ask(ana, "/vps cancel web-1", "asks to");
    await story.pressing(ana, pressed, goAhead, "You can withdraw the cancellation until then");
    await story.ask(ana, "/vps capture web-2 name=golden", "Only you see this");
    clock.skip(61 * minute);
    const notice = await story.seesIn("dm", ana, "expired", "web-2");
    await ana.press(notice, "Ask again…");
    await story.modal(ana, "golden");
    await ana.closeModal({ all: true });
    await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
    expect(ana.sees("dm").filter((message) => said(message).includes("expired"))).toHaveLength(1);
    expect(repliesTo(story, pressed)).toEqual([]);
    // One that a change voids offers it where it stood.
    const request = await story.ask(ana, "/vps capture web-2 name=silver", "Only you see this");
    platform.change("web-2", { name: "web-two" });
    const over = await story.pressing(ana, request, goAhead, "It was called `web-2`", "Nothing was done");
    await ana.press(over, "Ask again…");
    await story.modal(ana, "silver");
  });

  test("several machines are asked for again as they were", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/vps cancel web-1 web-2", "asks to");
    await deny(story, ben, request, "Not both.");
    const shown = await story.sees(ana, "Not both.", "asked by");
    await story.pressing(ana, shown, "Ask again", "asks to", "web-1", "web-2");
  });
});

describe("a request about something that is gone, or approved by somebody who is gone", () => {
  const hour = 60 * minute;

  function reads({ platform }: Story): number {
    return platform.calls().length;
  }

  test("a press on a request whose machine is gone ends it, and its red button goes; it can be denied as well", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    const other = await story.ask(ana, "/vps cancel web-2", "asks to");
    for (const name of ["web-1", "web-2"]) platform.remove(name);
    await ben.press(request, goAhead);
    const ended = await story.sees(ana, "Something changed since this request", "asked by", "Ask again…");
    expect(ended.ts).toBe(request.ts);
    expect(said(ended)).not.toContain("Approve");
    await replies(story, request, 1);
    await deny(story, ben, other, "It is gone.");
    expect((await replies(story, other, 1))[0]).toContain("It is gone.");
  });

  test("a press on a request whose machine has ended says so, and ends it", async () => {
    const story = await startStory({ linked: team });
    const { ana, platform } = story;
    const request = await reinstall(story, "disk is full");
    platform.change("web-2", { status: "terminated" });
    await story.pressing(ana, request, goAhead, "`web-2` is terminated", "Nothing was done");
    await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
  });

  test("a schedule whose machine is gone by its time says that, and blames nobody's key", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben, clock, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to");
    await story.pressing(ben, request, goAhead, "Rackbell checks the requester");
    platform.remove("web-1");
    clock.skip(2 * hour);
    const notification = await story.sees(ana, "it did not start", `<@${ana.user.id}>`);
    expect(said(notification)).not.toContain("could no longer approve it");
  });

  test("a schedule whose machine is terminated or suspended by its time ends at once, and one that thaws waits for it", async () => {
    const story = await startStory({ linked: team });
    const { ana, clock, platform } = story;
    for (const [name, status] of [
      ["web-1", "terminated"],
      ["web-2", "suspended"],
    ] as const) {
      await story.ask(ana, `/vps snapshot ${name} name=before in=2h`, "Reschedule…");
      platform.change(name, { status });
      const before = reads(story);
      clock.skip(2 * hour + 1_000);
      await story.sees(ana, "it did not start", `is ${status}`, `<@${ana.user.id}>`);
      expect(reads(story) - before, status).toBeLessThan(15);
    }
    await story.ask(ana, "/vps snapshot mail name=before in=2h", "Reschedule…");
    platform.change("mail", { capabilities: { frozen: true } });
    const tries = () => story.log.filter((line) => line.includes("could not start yet")).length;
    const before = tries();
    clock.skip(2 * hour + 1_000);
    await story.slack.until(() => tries() > before, "the first try");
    platform.change("mail", { capabilities: { frozen: false } });
    const taken = () => platform.calls().some(({ method, path }) => method === "POST" && path.endsWith("/snapshots"));
    await story.passes(taken, "the snapshot");
  });

  test("an approver who unlinks ends what they approved for later, at once", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to");
    await story.pressing(ben, request, goAhead, "Rackbell checks the requester");
    const question = await story.ask(ben, "/rackbell unlink", "Unlink a key?");
    await story.pressing(ben, question, "Unlink a key", "erased");
    const isNotified = () =>
      repliesTo(story, request).some((text) => text.includes(`<@${ben.user.id}>, who approved this, no`));
    await story.slack.until(isNotified, "the end");
    await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
  });

  test("so does one who leaves, and the first of two approvals counts no more", async () => {
    const story = await startStory({ linked: team, rules: ['demand=two-approvals command="vps cancel"'] });
    const { ana, ben, slack } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    await story.pressing(ben, request, goAhead, "1 of 2");
    slack.deactivate("ben");
    const still = await story.sees(ana, "asks to", "Another member must approve it in their place");
    expect(still.ts).toBe(request.ts);
    expect(said(still)).not.toContain("1 of 2");
  });
});
