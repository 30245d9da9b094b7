import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createLog } from "../../../src/process/log.ts";
import { Request } from "../../../src/requests/request.ts";
import { openStore } from "../../../src/storage/open.ts";
import { createSeal } from "../../../src/storage/seal.ts";
import { listed, raw } from "../../storage/raw.ts";
import { ownRedis } from "../../storage/redis/opened.ts";
import { hasRedis } from "../../storage/redis/server.ts";
import { rest } from "../rest.ts";
import {
  type Actor,
  backOut,
  decision,
  fileStore,
  goAhead,
  type Member,
  type Message,
  peer,
  pressInDetails,
  type Story,
  type StoryOptions,
  said,
  startStory,
  writes,
} from "../story.ts";
import { withOther } from "../two-instances.ts";

const move = "request:move";
const hour = 60 * 60_000;
const team: Member[] = ["ana", "ben", "caro", "dave"];

function isCancelled({ platform }: Pick<Story, "platform">): boolean {
  return platform.findVps("web-1").cancellation !== null;
}

/** The cancellation of web-1 in two hours, requested by ana and approved by ben. */
async function approved(options: StoryOptions = {}): Promise<{ story: Story; card: Message }> {
  const story = await startStory({
    linked: team,
    ...options,
    environment: { APPROVALS: "peer", ...options.environment },
  });
  const request = await story.ask(story.ana, "/vps cancel web-1 in=2h", "asks to", "*When*");
  const card = await story.pressing(
    story.ben,
    request,
    goAhead,
    "It is scheduled for",
    "Reschedule…",
    "Rackbell checks the requester",
  );
  expect(isCancelled(story)).toBe(false);
  return { story, card };
}

/** Its time has come, and it did not start: a message mentions the requester and gives the reason. */
async function isVoid({ ana, platform, ...story }: Story, ...why: (string | RegExp)[]): Promise<void> {
  const texts = ["Nothing was done", "Schedule it again", `<@${ana.user.id}>`, ...why];
  const shown = await story.sees(ana, "it did not start", ...texts);
  expect(said(shown).match(/Nothing was done/g)).toHaveLength(1);
  expect(isCancelled({ platform })).toBe(false);
}

describe("scheduled acts", () => {
  test("an approved schedule waits, is announced when it starts, runs by itself, and notifies the requester of its end", async () => {
    const { story, card } = await approved();
    const { ana, ben, clock } = story;
    expect(said(card)).toContain(`approved by <@${ben.user.id}>`);
    expect(said(card)).toContain("the approvers and their keys");
    clock.skip(2 * hour - 5_000);
    await rest(1_000);
    expect(isCancelled(story)).toBe(false);
    clock.skip(10_000);
    await story.sees(ben, "it starts now, as scheduled");
    await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation until then", `<@${ana.user.id}>`);
    expect(isCancelled(story)).toBe(true);
    const end = await story.sees(ana, "approved by", "You can withdraw the cancellation until then", "Keep it");
    expect(end.ts).toBe(card.ts);
    await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
    await story.ask(ana, "/rackbell audit", "scheduled", "started", "done");
  });

  test("on Home, what runs by itself runs since its time, and not since it was asked for", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, clock, slack } = story;
    await story.ask(ana, "/vps snapshot web-1 name=before in=3h", "It is scheduled for");
    const scheduled = Math.floor(clock.now() / 1000) + 3 * 3600;
    clock.skip(3 * hour + 5_000);
    await story.sees(ana, "it starts now, as scheduled");
    await ana.openHome();
    const since = () => JSON.stringify(ana.home() ?? "").match(/In progress.*?\(since <!date\^(\d+)/)?.[1];
    const found = await slack.until(since, "what is going on");
    expect(Math.abs(Number(found) - scheduled)).toBeLessThan(60);
  });

  test("a schedule that must be decided within minutes sends its approvers no reminder", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben } = story;
    await story.ask(ana, "/vps cancel web-1 in=3m", "asks to");
    await story.comesToSee(ben, /expired/i);
    expect(JSON.stringify(ben.sees())).not.toContain("still awaits");
  });

  test("acts that need no approval are scheduled without one, and each runs at its own time", async () => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, platform } = story;
    platform.clearCalls();
    await story.ask(ana, "/vps snapshot web-1 name=before in=3h", "Snapshot `web-1`", "It is scheduled for");
    await story.ask(ben, "/vps reboot web-1 in=2h", "Schedule the reboot of `web-1` for");
    const question = await story.sees(
      ben,
      "Schedule the reboot of `web-1` for",
      "Also scheduled for the same resource: Snapshot `web-1`",
    );
    await story.pressing(
      ben,
      question,
      { actionId: "invoke:confirmed" },
      "It is scheduled for",
      "Also scheduled for the same resource: Snapshot `web-1`",
    );
    expect(ana.phone().filter(({ text }) => text.includes("Reboot"))).toEqual([]);
    const listed = await story.ask(
      ana,
      "/rackbell scheduled",
      "Scheduled, soonest first",
      "Reboot `web-1`",
      "in project `Production` · address `192.0.2.2`",
      "Snapshot `web-1`",
    );
    expect(said(listed).indexOf("Reboot")).toBeLessThan(said(listed).indexOf("Snapshot"));
    expect(writes(story)).toEqual([]);
    story.clock.skip(2 * hour + 1_000);
    await story.sees(ben, "Reboot `web-1`: it starts now");
    await story.passes(() => platform.calls().some(({ path }) => path.endsWith("/reboot")), "the reboot");
    expect(platform.calls().some(({ path }) => path.endsWith("/snapshots"))).toBe(false);
  });

  test("a schedule that nobody approves speaks of no approval: in its form, its message, at its start and in the audit log", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, clock } = story;
    const approval = /approv/i;
    for (const machines of ["web-1", "web-1 db-1"]) {
      const promise = await story.ask(
        ana,
        `/vps snapshot ${machines} name=before in=2h`,
        "Rackbell checks the requester",
      );
      expect(said(promise)).not.toMatch(approval);
      const before = ana.sees().length;
      clock.skip(2 * hour + 1_000);
      const start = await story.passes(
        () =>
          ana
            .sees()
            .slice(before)
            .find((one) => said(one).includes("it starts now, as scheduled")),
        `the start for ${machines}`,
      );
      expect(said(start)).not.toMatch(approval);
    }
    const audit = await story.ask(ana, "/rackbell audit", "nothing changed since it was scheduled");
    expect(said(audit)).not.toMatch(approval);
    await ana.type("/vps reboot");
    await story.modal(ana, "If it needs a confirmation or an approval, Rackbell asks for that now");
  });

  test("schedules for other resources are not named as ones for the same: of new projects, and of several machines", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    for (const name of ["One", "Two"])
      await story.ask(ana, `/project create ${name} in=2h`, `\`${name}\``, "It is scheduled for");
    const request = await story.ask(ana, "/vps cancel web-1 db-1 in=2h", "asks to");
    await story.pressing(ana, request, goAhead, "It is scheduled for");
    await story.ask(ana, "/vps cancel web-2 db-2 in=3h", "asks to");
    expect(
      ana
        .sees()
        .map((message) => said(message))
        .join(),
    ).not.toContain("Also scheduled");
  });

  test("a second schedule for a machine is asked about before it is made, also where either is for several machines", async () => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/vps reboot web-1 web-2 in=2h", "For each of 2 VPSes");
    await story.pressing(ana, request, goAhead, "It is scheduled for", "A target that changed is left as it is");
    const others = "Also scheduled for the same resource: Reboot 2 VPSes";
    // A snapshot interrupts nothing, so without the other schedule it would be made at once.
    const question = await story.ask(ben, "/vps snapshot web-1 name=before in=1h", others);
    expect(said(await story.ask(ana, "/rackbell scheduled", "Scheduled, soonest first"))).not.toContain("Snapshot");
    await story.pressing(ben, question, { actionId: "invoke:confirmed" }, "It is scheduled for", others);
    const start = await story.ask(ben, "/vps start web-2 db-1 in=3h", "Start 2 VPSes", others);
    await story.pressing(ben, start, goAhead, "It is scheduled for");
    await story.ask(ben, "/vps cancel web-2 in=4h", "asks to", others, "Start 2 VPSes");
    expect(said(await story.ask(ben, "/vps cancel mail in=4h", "asks to"))).not.toContain("Also scheduled");
  });

  test("the time of a schedule is read by its requester's clocks, and its act runs once", async () => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, clock, platform } = story;
    platform.clearCalls();
    const times: number[] = [];
    for (const [actor, name] of [
      [ana, "by-ana"],
      [ben, "by-ben"],
    ] as const) {
      const asked = await story.ask(actor, `/vps snapshot web-1 name=${name} at=03:00`, /[Ss]cheduled for/);
      const card = said(asked).includes("It is scheduled for")
        ? asked
        : await story.pressing(actor, asked, { actionId: "invoke:confirmed" }, "It is scheduled for", name);
      const at = Number(said(card).match(/It is scheduled for <!date\^(\d+)/)?.[1]) * 1_000;
      const clockOf = { timeZone: actor.user.tz, hour: "2-digit", minute: "2-digit" } as const;
      expect(new Intl.DateTimeFormat("en-GB", clockOf).format(at)).toBe("03:00");
      times.push(at);
    }
    const taken = () => platform.calls().filter(({ method, path }) => method === "POST" && path.endsWith("/snapshots"));
    for (const [nth, at] of times.toSorted((a, b) => a - b).entries()) {
      clock.skip(at - clock.now() + 1_000);
      await story.passes(() => taken().length === nth + 1, "the snapshot");
    }
    clock.skip(24 * hour);
    await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
    expect(taken()).toHaveLength(2);
  });

  test("an impossible time gets an answer with how to write it, and makes no request", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    await story.ask(ana, "/vps snapshot web-1 name=one at=soon", "I don't understand at=soon", "at=03:00");
    await story.ask(ana, "/vps snapshot web-1 name=one in=30d1m", "more than 30 days ahead");
    await story.ask(ana, '/vps snapshot web-1 name=one at="2026-01-01 10:00"', "That time has passed");
    await story.ask(ana, "/vps snapshot web-1 name=one at=03:00 in=2h", "not both");
    await story.ask(ana, "/vps list at=03:00", "I don't know at= here");
    await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts that you can see");
  });

  test("the form of an act that cannot be scheduled says so, with the time as it was typed, and so does a command", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const isForNow = "so it was left out. This cannot be scheduled: the form is for now.";
    for (const [act, time] of [
      ['order new "VPS M"', "at=03:00"],
      ['order new "VPS M"', "at=soon"],
      ["service upgrade web-1", "in=2h"],
    ] as const) {
      const [name, typed] = time.split("=");
      await ana.type(`/${act} ${time}`);
      await story.modal(ana, `\`${name}=\` with \`${typed}\`, ${isForNow}`);
      expect(JSON.stringify(ana.modal())).not.toMatch(/tomorrow|\d{4}-\d\d-\d\dT|I don't understand/);
      await ana.closeModal({ all: true });
    }
    await story.ask(ana, "/service renew web-1 at=03:00", "I don't know at= here. This cannot be scheduled.");
  });

  test("a copy that was chosen first is taken when the time comes", async () => {
    const story = await startStory({ linked: ["ana"], pace: 8 });
    const { ana, clock, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to", "Back up first");
    platform.clearCalls();
    await story.pressing(ana, request, "request:copy", "It is scheduled for");
    expect(writes(story)).toEqual([]);
    clock.skip(2 * hour);
    await story.sees(ana, "Capturing", "Store the disk as an image");
    await story.passes(() => isCancelled(story), "the end");
  });

  test("the form picks a date and a time, and the time that was typed stands in it", async () => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, clock } = story;
    await ana.type("/vps reinstall web-1 in=2h");
    const due = Math.floor((clock.now() + 2 * hour) / 1000);
    await story.modal(ana, "datetimepicker", new RegExp(`"initial_date_time":${String(due).slice(0, 8)}`));
    await ana.fill({ When: Math.floor(clock.now() / 1000) - 60, "Operating system": "Debian 13" });
    expect(await ana.submit()).toMatchObject({ errors: { at: "That time has passed." } });
    await ana.fill({ When: due });
    await ana.submit();
    await story.sees(ana, "asks to", "*When*");
  });
});

describe("while it waits", () => {
  test("the requester withdraws it, even with two presses at once, and an uninvolved member cannot", async () => {
    const { story, card } = await approved();
    const { ana, caro, clock } = story;
    await story.pressing(caro, card, backOut, "or an admin can withdraw this");
    await Promise.all([ana.press(card, backOut), ana.press(card, backOut)]);
    await story.sees(ana, "It was withdrawn");
    clock.skip(3 * hour);
    await story.pressing(ana, card, backOut, "It was withdrawn");
    expect(isCancelled(story)).toBe(false);
  });

  test("it is withdrawn at the very moment that it starts: one of the two counts, and the press gets the outcome", async () => {
    const { story, card } = await approved();
    const { ana, clock } = story;
    clock.skip(2 * hour);
    await ana.press(card, backOut);
    const shows = (text: string) => ana.sees().some((message) => said(message).includes(text));
    await story.passes(() => isCancelled(story) || shows("It was withdrawn"), "one of the two");
    // Whichever it was, the other did not happen, now or later.
    const withdrawn = !isCancelled(story);
    await story.sees(ana, withdrawn ? "It was withdrawn" : "Keep it");
    clock.skip(hour);
    expect(shows("It was withdrawn")).toBe(withdrawn);
    expect(isCancelled(story)).toBe(!withdrawn);
  });

  test("only the requester reschedules it, and it needs a new approval then", async () => {
    const { story, card } = await approved();
    const { ana, ben, clock } = story;
    await story.pressing(ben, card, move, "who asked, can reschedule this request");
    await ana.press(card, move);
    await story.modal(ana, "needs a new approval");
    const later = Math.floor((clock.now() + 5 * hour) / 1000);
    await ana.fill({ "When?": later + 40 * 24 * 3600 });
    expect(await ana.submit()).toMatchObject({ errors: { when: expect.stringContaining("more than 30 days ahead") } });
    await ana.fill({ "When?": later });
    await ana.submit();
    await story.sees(ben, "rescheduled it from", "It needs approval for that time");
    const again = await story.sees(ben, "Approve", "asks to");
    await story.pressing(ben, again, goAhead, "It is scheduled for");
    // Its first time passes, and nothing happens.
    clock.skip(2 * hour);
    for (let time = 0; time < 5; time += 1) await story.ask(ana, "/rackbell scheduled", "Scheduled, soonest first");
    expect(isCancelled(story)).toBe(false);
    clock.skip(3 * hour);
    await story.passes(() => isCancelled(story), "the end");
  });

  test("the requester schedules a pending request for later in a date picker, and a colleague approves it for then", async () => {
    const story = await startStory({ linked: team, environment: peer });
    const { ana, ben, clock } = story;
    const firstRequest = await story.ask(ana, "/vps cancel web-1", "asks to", "*Schedule*");
    await ben.press(firstRequest, { actionId: "request:details" });
    await story.modal(ben, "Approve…");
    expect(JSON.stringify(ben.modal())).not.toContain("Schedule…");
    await pressInDetails(story, ana, firstRequest, move);
    await story.modal(ana, "Do it later");
    await ana.fill({ "When?": Math.floor((clock.now() + 2 * hour) / 1000) });
    await ana.submit();
    await story.sees(ben, "scheduled it for");
    const later = await story.sees(ben, "asks to", "*When*", "*Reschedule*");
    await story.pressing(ben, later, goAhead, "It is scheduled for");
    expect(isCancelled(story)).toBe(false);
    clock.skip(2 * hour);
    await story.passes(() => isCancelled(story), "the end");
  });

  test("it is cancelled when its requester unlinks, or a rule became stricter, and the channel is notified at once", async () => {
    const { story } = await approved();
    const { ana, ben, caro, clock } = story;
    const request = await story.ask(caro, "/vps cancel web-2 in=2h", "asks to", "*When*");
    await story.pressing(ben, request, goAhead, "It is scheduled for");
    const question = await story.ask(caro, "/rackbell unlink", "Unlink a key?");
    await story.pressing(caro, question, "Unlink a key", "erased");
    await story.sees(ben, ":no_entry_sign:", "web-2", "Nothing was done");
    await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
    await story.sees(ana, "The rules of this workspace changed", "It needs more approvals now");
    clock.skip(3 * hour);
    await rest(2_000);
    expect(isCancelled(story)).toBe(false);
    expect(writes(story)).toEqual([]);
  });
});

test("one that needed no confirmation is cancelled at once by a rule that wants it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  await story.ask(ana, "/vps snapshot web-1 name=nightly in=2h", "scheduled for");
  await story.ask(ana, "/rackbell policy add demand=confirm risk=change", "In effect now");
  await story.sees(ana, "The rules of this workspace changed", "The requester must confirm it now");
  clock.skip(2 * hour);
  await rest(2_000);
  expect(writes(story)).toEqual([]);
});

describe("when its time comes, all is checked again", () => {
  test("it does not run when the requester's key was revoked", async () => {
    const { story } = await approved();
    story.platform.revoke(story.platform.keys.ana);
    story.clock.skip(2 * hour);
    await isVoid(story, "no longer accepts the key");
  });

  test("it does not run when the disk has grown, or when requester or approver could no longer have it", async () => {
    const { story } = await approved();
    const { ana, ben, caro, clock, platform, slack } = story;
    const again = async (approver: Actor) => {
      const request = await story.ask(ana, "/vps cancel web-1 in=2h", "asks to", "*When*");
      await story.pressing(approver, request, goAhead, "It is scheduled for");
    };
    const { scopes } = platform.keys.ben;
    platform.change("web-1", { instance: { disk_gb: 200 } });
    clock.skip(2 * hour);
    await isVoid(story, "*Disk* changed: it was 100 GB and is 200 GB now");
    await again(ben);
    platform.setScopes(platform.keys.ben, ["read"]);
    clock.skip(2 * hour);
    await isVoid(story, `<@${ben.user.id}>, who approved it, could no longer approve it`);
    platform.setScopes(platform.keys.ben, scopes);
    await again(ben);
    platform.setScopes(platform.keys.ana, ["read"]);
    clock.skip(2 * hour);
    await isVoid(story, "no longer allows it");
    platform.setScopes(platform.keys.ana, scopes);
    await story.ask(ana, "/rackbell whoami", "destructive");
    await again(caro);
    // Slack sends no event of it.
    slack.deactivate("caro", { silent: true });
    clock.skip(2 * hour);
    // The hourly look at all members may find it before the schedule does; then the request ends for that reason.
    await story.sees(
      ana,
      new RegExp(`<@${caro.user.id}>, who approved (it, could no longer|this, no longer has)`),
      "Nothing was done",
    );
    expect(isCancelled(story)).toBe(false);
    await again(ben);
    slack.setRole("ana", "guest");
    clock.skip(2 * hour);
    await story.sees(ben, "it did not start", "is now a guest of this workspace");
    expect(isCancelled(story)).toBe(false);
  });

  test("it does not run when the requester's link is older than this workspace allows", async () => {
    const { story } = await approved({ environment: { LINK_MAX_AGE: "1d" } });
    const later = await story.ask(story.ana, "/vps cancel web-2 in=25h", "asks to");
    await story.pressing(story.ben, later, goAhead, "It is scheduled for");
    story.clock.skip(25 * hour);
    await story.sees(story.ana, "it did not start", "must link their");
  });

  test("it runs as soon as the platform answers again after a short outage", async () => {
    const { story } = await approved();
    const { clock, platform } = story;
    platform.settings.api = false;
    clock.skip(2 * hour);
    await story.passes(() => platform.calls().length > 0, "the first try");
    clock.skip(60_000);
    platform.settings.api = true;
    await story.passes(() => isCancelled(story), "the end");
  });

  test("it does not run when the platform does not answer for long", async () => {
    const { story } = await approved();
    story.platform.settings.api = false;
    story.clock.skip(2 * hour);
    const isOver = () => story.ana.sees().some((message) => said(message).includes("it did not start"));
    await story.passes(() => story.log.some((line) => line.includes("could not start yet")), "the first try");
    story.clock.skip(10 * 60_000);
    await story.passes(isOver, "the end of trying");
    story.platform.settings.api = true;
    await isVoid(story);
  });
});

describe("clocks and restarts", () => {
  test("Rackbell is back too late: nothing is done, and a message says so", async () => {
    const { story } = await approved({ environment: { APPROVALS: "peer", STORE_URL: fileStore() } });
    await story.app.stop();
    story.clock.skip(2 * hour + 16 * 60_000);
    await story.restart();
    await isVoid(story, "more than 15 min late");
  });

  test("the machine's clock is set back: it waits for the time that was approved", async () => {
    const { story } = await approved();
    const { clock } = story;
    clock.adjust(-hour);
    clock.skip(2 * hour + 60_000);
    expect(isCancelled(story)).toBe(false);
    await story.ask(story.ana, "/rackbell scheduled", "Scheduled, soonest first");
    clock.skip(hour);
    await story.passes(() => isCancelled(story), "the end");
  });

  test("the machine's clock is set far ahead: nothing is done at a time that nobody meant", async () => {
    const { story } = await approved();
    story.clock.adjust(24 * hour);
    story.clock.skip(2 * hour);
    await isVoid(story, "its clock was wrong");
  });

  test.runIf(hasRedis)("of two instances on one Redis one begins it, once", async () => {
    const redis = await ownRedis();
    const { story } = await approved({ mode: "http", environment: { APPROVALS: "peer", STORE_URL: redis.url } });
    await withOther(story);
    story.clock.skip(2 * hour);
    await story.passes(() => isCancelled(story), "the end");
    await story.sees(story.ana, "You can withdraw the cancellation until then");
    const ends = story.platform.calls().filter(({ method }) => method === "DELETE");
    expect(ends).toHaveLength(1);
  });
});

test("many are scheduled in one request, and done one after the other when the time comes", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  platform.clearCalls();
  await story.ask(ana, "/vps snapshot web-1 web-2 name=before in=2h", "It is scheduled for", "Reschedule…");
  expect(writes(story)).toEqual([]);
  clock.skip(2 * hour + 1_000);
  const taken = () => platform.calls().filter(({ method, path }) => method === "POST" && path.endsWith("/snapshots"));
  await story.passes(() => taken().length === 2, "two snapshots");
});

describe("a schedule never looks like an act that happens now, and each message has its reader's time zone alone", () => {
  /** The time on clocks of a zone so many minutes from now. */
  function timeIn({ clock }: Story, minutes: number, timeZone: string): string {
    return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(
      clock.now() + minutes * 60_000,
    );
  }

  test("the question before an interruption asks for the schedule, by the clocks of its reader, who reschedules it at once", async () => {
    const story = await startStory({ linked: ["ben"] });
    const { ben, clock } = story;
    const question = await story.ask(ben, "/vps reboot web-1 in=3m", "Schedule the reboot of `web-1` for");
    const time = timeIn(story, 3, "America/New_York");
    expect(said(question)).toContain(`for ${time}?`);
    expect(said(question)).not.toMatch(/UTC|New_York|is scheduled/);
    expect(JSON.stringify(question.blocks)).not.toContain('"danger"');
    const card = await story.pressing(ben, question, `Schedule for ${time}`, "It is scheduled for", "Reschedule…");
    // It needed no approval, so it is rescheduled at once.
    await ben.press(card, move);
    await story.modal(ben, "When?");
    await ben.fill({ "When?": Math.floor((clock.now() + hour) / 1000) });
    await ben.submit();
    await story.sees(ben, "rescheduled it from");
    clock.skip(hour + 1_000);
    await story.passes(() => writes(story).length === 1, "the reboot");
  });

  test("a request to schedule what destroys has a red button as one for now, and neither they nor a digest name a time in another zone", async () => {
    const story = await startStory({ linked: ["ana"] });
    const request = await story.ask(story.ana, "/vps cancel web-1 in=3m", "asks to schedule", "*When*", "Schedule it");
    const shown = JSON.stringify(request.blocks).replaceAll(/<!date[^>]*>/g, "");
    // Slack converts no time in a dialog, so that one names its zone.
    const inDialog = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;
    expect(shown.replaceAll(inDialog, "")).not.toMatch(/UTC|Europe/);
    expect(shown).toContain("This runs at 20");
    expect((await decision(story.ana, request)).style).toBe("danger");
    await story.pressing(story.ana, request, "Schedule it", "It is scheduled for");
    const now = await story.ask(story.ana, "/vps cancel web-2", "asks to");
    expect((await decision(story.ana, now)).style).toBe("danger");
    expect(
      JSON.stringify(now.blocks)
        .replaceAll(/<!date[^>]*>/g, "")
        .replaceAll(inDialog, ""),
    ).not.toMatch(/UTC|\bon [A-Z][a-z]{2} \d/);
    const answer = await story.ask(story.ana, "/rackbell alerts mode #ops how=digest hours=9", "by the clocks of");
    expect(said(answer)).toContain("`Europe/Madrid`");
    const hours = [...said(answer).matchAll(/<!date\^(\d+)\^\{time\}/g)].map(([, at]) => Number(at) * 1_000);
    const madrid = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Madrid", hour: "2-digit", minute: "2-digit" });
    expect(hours.map((at) => madrid.format(at))).toEqual(["09:00"]);
  });
});

test("a schedule runs after the encryption key was rotated and the former one removed", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana } = story;
  const former = story.environment.ENCRYPTION_KEY ?? "";
  await story.ask(ana, "/vps snapshot web-1 name=before-upgrade in=3h", "It is scheduled for");
  const ENCRYPTION_KEY = randomBytes(32).toString("base64");
  await story.restart({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS: former });
  await expect.poll(() => story.log.join("")).toContain("and so are all requests");
  await story.restart({ ENCRYPTION_KEY });
  story.clock.skip(3 * hour);
  await story.comesToSee(ana, "it starts now, as scheduled");
  await expect.poll(() => writes(story)).toHaveLength(1);
});

test("a schedule whose encryption key is gone ends with that reason, and the clock is not blamed", async () => {
  const url = fileStore();
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: url } });
  const { ana } = story;
  await story.ask(ana, "/vps snapshot web-1 name=before-upgrade in=3h", "It is scheduled for");
  await story.app.stop();
  const store = await openStore({ url, clock: story.clock, log: createLog({ level: "silent" }) });
  const lost = createSeal({ key: randomBytes(32) });
  for (const [id, record] of await listed(store, raw("requests"))) {
    const request = Request.parse(record);
    await store.keyv(raw("requests")).set(id, { ...request, input: { ...request.input, sealed: lost.seal("{}", id) } });
  }
  await store.close();
  await story.restart();
  story.clock.skip(3 * hour);
  await story.comesToSee(ana, "it did not start", "The encryption key that sealed its input was removed");
  expect(writes(story)).toEqual([]);
});
