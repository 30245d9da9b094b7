import { expect, test } from "vitest";
import { carry } from "../carry.ts";
import { cards, passRound, read } from "../polled.ts";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, type Story, said } from "../story.ts";

// An act explains what it leads to, and no more: a machine that dies in the minutes after its end alerts.

const ends: Record<string, (story: Story) => Promise<unknown>> = {
  reboot: async (story) => {
    await story.ask(story.ana, "/vps reboot web-2 force=yes", "Reboot `web-2`");
    await story.comesToSee(story.ana, "`web-2` is running again");
  },
  restart: async (story) => {
    await story.ask(story.ana, "/service restart web-2 force=yes", "Restart `web-2`");
    await story.comesToSee(story.ana, "`web-2` is running again");
  },
  password: async (story) => {
    const question = await carry(story, story.ana, "/vps password web-2", goAhead, {});
    await story.pressing(story.ana, question, goAhead, "on `web-2`. It does not show");
  },
  revert: async (story) => {
    const request = await story.ask(story.ana, "/vps revert web-2 snapshot=clean", "asks to");
    await story.pressing(story.ana, request, goAhead, "Reverting");
    await story.comesToSee(story.ana, "The disk is as it was in");
  },
  reinstall: async (story) => {
    const request = await askToReinstall(story, "web-2");
    await story.pressing(story.ana, request, goAhead, "Reinstalling `web-2`");
    await story.comesToSee(story.ana, "is reinstalled");
  },
  upgrade: async (story) => {
    story.platform.settings.autoCredit = true;
    const request = await story.ask(story.ana, '/service upgrade web-2 to="VPS L"', "costs");
    await story.pressing(story.ana, request, goAhead, "waits to be paid", "Pay…");
    const [document] = story.platform
      .documents()
      .filter(({ status }) => status === "unpaid")
      .slice(-1);
    story.platform.payByOperator(document?.id ?? "");
    await story.comesToSee(story.ana, "VPS L");
  },
};

test.each(Object.keys(ends))(
  "a machine that stops by itself right after a %s has ended alerts, and names nobody",
  async (act) => {
    const story = await read();
    await ends[act]?.(story);
    story.clock.skip(1_000);
    story.platform.change("web-2", { instance: { state: "stopped" } });
    await passRound(story, { minutes: 6 });
    const alert = await story.passes(
      () => cards(story, "The machine of `web-2.example.test` has stopped")[0],
      "the alert",
    );
    expect(said(alert)).not.toContain("Asked by");
  },
);

test("a machine in error while a restart is under way alerts", async () => {
  const story = await read();
  story.platform.failJob("reboot", story.platform.findVps("web-2").id);
  await story.ask(story.ana, "/vps reboot web-2 force=yes", "Reboot `web-2`");
  story.clock.skip(30_000);
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "The machine of `web-2.example.test` is in error")[0], "the alert");
});

test("an older state that the platform still shows after the end of an act needs a second reading to alert", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  await story.ask(ana, "/vps reboot web-2 force=yes", "Reboot `web-2`");
  await story.comesToSee(ana, "`web-2` is running again");
  const before = new Date(story.clock.now() - 60_000).toISOString();
  platform.change("web-2", { instance: { state: "stopped", updated_at: before } });
  await passRound(story, { minutes: 6 });
  expect(cards(story)).toEqual([]);
  platform.change("web-2", { instance: { state: "running", updated_at: before } });
  await passRound(story, { minutes: 6 });
  expect(cards(story)).toEqual([]);
  platform.change("web-2", { instance: { state: "stopped", updated_at: before } });
  await passRound(story, { minutes: 6 });
  await passRound(story, { minutes: 6 });
  await story.sees(ben, "The machine of `web-2.example.test` has stopped");
});

test("a machine that is down and was not stopped on purpose is on Home and in the list of what needs attention, the worst and newest first", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, "/vps stop mail force=yes", "Stop `mail`");
  await story.comesToSee(ana, "`mail` is stopped");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  platform.change("web-2", { instance: { state: "stopped" } });
  platform.change("db-1", { instance: { state: "error" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "web-2.example.test")[0], "the alert");
  const answer = said(await story.ask(ana, "/rackbell attention VPS", "need attention"));
  const places = ["`db-1`: *its machine is in error*", "`web-2`: *stopped*", "`web-1`: *stopped*"].map((text) =>
    answer.indexOf(text),
  );
  expect(
    places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1)),
    answer,
  ).toBe(true);
  expect(answer).toContain("no member stopped it with Rackbell");
  expect(answer).not.toContain("`mail`");
  await ana.openHome();
  await story.passes(() => JSON.stringify(ana.home() ?? "").includes("`web-2`: *stopped*"), "Home with the machine");
  expect(JSON.stringify(ana.home())).not.toContain("`mail`: *stopped*");
});
