import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { becomesAdmin, passADay } from "../admins.ts";
import { fillOrder } from "../ordering.ts";
import { backOut, goAhead, type Member, type Message, peer, type Story, said, startStory } from "../story.ts";

const details = /The deal is secret|will be lost then|its disk/;

/** A private channel of ben's and caro's that the app is in; ben and dave have keys of one account, zoe of another, and ana is an admin without one. */
async function inPrivate(linked: Member[] = ["ben", "dave"]): Promise<{ story: Story; zoe: Story["ana"] }> {
  const story = await startStory({ linked });
  const { slack, platform } = story;
  slack.invite("vault", "rackbell");
  slack.kick("vault", "ana");
  slack.addUser("zoe");
  const zoe = slack.as("zoe");
  await story.link(zoe, platform.keys.zoe.key);
  return { story, zoe };
}

const cancelling = '/vps cancel web-1 reason="The deal is secret"';

async function scheduled(story: Story): Promise<Message> {
  const request = await story.askIn("#vault", story.ben, `${cancelling} in=2h`, "asks to", "The deal is secret");
  await story.ben.press(request, goAhead);
  return story.seesIn("#vault", story.ben, "It is scheduled for");
}

test("one's own list has no button that would be refused: the requester withdraws, and others approve or deny", async () => {
  const story = await startStory({ linked: ["ben", "caro"], environment: peer });
  const { ben, caro } = story;
  const request = await story.ask(ben, "/vps cancel web-1 in=2h", "asks to");
  const own = said(await story.ask(ben, "/rackbell approvals", "Open requests", "`web-1`"));
  expect(own).toContain("Withdraw");
  expect(own).not.toMatch(/Approve…|Deny…/);
  const others = said(await story.ask(caro, "/rackbell approvals", "Open requests", "Approve…", "Deny…"));
  expect(others).not.toContain("Withdraw");
  await story.pressing(caro, request, goAhead, "It is scheduled for");
  const scheduled = said(await story.ask(caro, "/rackbell scheduled", "Scheduled, soonest first", "Withdraw"));
  expect(scheduled).not.toContain("Reschedule…");
  await story.ask(ben, "/rackbell scheduled", "Reschedule…", "Withdraw");
});

test("a private schedule is listed in full for its requester, by name for keys that list it, and for nobody else", async () => {
  const { story, zoe } = await inPrivate();
  const { ben, caro, dave } = story;
  await scheduled(story);
  await story.ask(ben, "/rackbell scheduled", "`web-1`", "Reschedule…");
  const named = await story.ask(dave, "/rackbell scheduled", "`web-1`", `<@${ben.user.id}>`, "made in private");
  expect(said(named)).not.toMatch(details);
  expect(said(named)).not.toContain("Reschedule…");
  for (const nobody of [zoe, caro]) {
    const shown = await story.ask(nobody, "/rackbell scheduled", "There are no scheduled acts that you can see");
    expect(said(shown)).not.toContain("web-1");
  }
});

test("a pending request of a private channel shows its details on nobody else's Home and in nobody else's list", async () => {
  const { story, zoe } = await inPrivate();
  const { ben, dave, slack } = story;
  await story.askIn("#vault", ben, cancelling, "asks to");
  const named = await story.ask(dave, "/rackbell approvals", "Cancel `web-1`", "made in private");
  expect(said(named)).not.toMatch(details);
  await story.ask(zoe, "/rackbell approvals", "There are no open requests that you can see");
  for (const actor of [zoe, dave]) {
    await actor.openHome();
    await slack.until(() => JSON.stringify(actor.home() ?? "").includes("As of "), "Home to be shown");
    expect(JSON.stringify(actor.home())).not.toMatch(details);
  }
  expect(JSON.stringify(zoe.home())).not.toContain("web-1");
});

test("an admin sees that a request waits, its requester and its channel, and can withdraw it, without more", async () => {
  const { story } = await inPrivate();
  const { ana, ben, slack } = story;
  await story.askIn("#vault", ben, cancelling, "asks to");
  const listed = await story.ask(ana, "/rackbell approvals", `A request of <@${ben.user.id}>`, "awaits a decision");
  expect(said(listed)).toContain(`<#${slack.channels.vault?.id}>`);
  expect(said(listed)).not.toMatch(/web-1|The deal/);
  const withdrawn = await story.pressing(ana, listed, backOut, "It was withdrawn by");
  expect(said(withdrawn)).not.toMatch(/web-1|The deal/);
  await story.seesIn("#vault", ben, `withdrawn by <@${ana.user.id}>`);
});

test("a request of an own direct message is named to nobody whose key does not list it, admins included", async () => {
  const { story, zoe } = await inPrivate();
  const { ana, ben } = story;
  await story.askIn("dm", ben, `${cancelling}`, "asks to");
  await story.ask(zoe, "/rackbell approvals", "There are no open requests that you can see");
  const listed = await story.ask(ana, "/rackbell approvals", "asked in direct messages");
  expect(said(listed)).not.toMatch(/web-1|The deal/);
});

test("a called approver sees all of a private request in any channel, and another member only its name", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"], environment: peer });
  const { ana, ben, dave, slack } = story;
  slack.invite("vault", "rackbell");
  slack.kick("vault", "ben");
  await story.askIn("#vault", ana, cancelling, "asks to");
  await story.ask(ben, "/rackbell approvals", "Cancel `web-1`", "will be lost then", "Approve…");
  const named = await story.ask(dave, "/rackbell approvals", "Cancel `web-1`", "made in private");
  expect(said(named)).not.toMatch(details);
});

test("a failure of Slack or of the platform shows nobody more of a private request", async () => {
  const { story } = await inPrivate(["ben", "caro", "dave"]);
  const { ben, caro, dave, slack, platform } = story;
  await story.askIn("#vault", ben, cancelling, "asks to");
  await story.ask(caro, "/rackbell approvals", "`web-1`", "will be lost then");
  story.clock.skip(2 * 60_000);
  slack.faults.failHttp("conversations.members", 503, 3);
  expect(said(await story.ask(caro, "/rackbell approvals", "`web-1`", "made in private"))).not.toMatch(details);
  platform.faults.next({ how: "500", times: 50 });
  await story.ask(
    dave,
    "/rackbell approvals",
    "There are no open requests that you can see",
    "Rackbell could not read everything",
  );
});

test("a member who schedules an act beside a private one reads the time of that, and neither the act nor its requester", async () => {
  const { story } = await inPrivate();
  const { ben, dave, platform } = story;
  platform.setScopes(platform.keys.dave, ["read", "services"]);
  await story.ask(dave, "/rackbell whoami", "dave");
  const first = said(await scheduled(story));
  const at = first.match(/It is scheduled for <!date\^(\d+)/)?.[1];
  const second = await story.ask(
    dave,
    "/vps snapshot web-1 name=before in=3h",
    `Also scheduled for the same resource: another act <!date^${at}^`,
  );
  expect(said(second)).not.toContain(`<@${ben.user.id}>`);
});

test("a list of many requests asks the platform no more than a list of one", async () => {
  const { story } = await inPrivate();
  const { ben, dave, platform } = story;
  const listing = async () => {
    platform.clearCalls();
    await story.ask(dave, "/rackbell scheduled", "Scheduled, soonest first");
    return platform.calls().length;
  };
  await story.ask(ben, "/vps snapshot web-1 name=one in=2h", "It is scheduled");
  await listing();
  const one = await listing();
  for (const hours of [3, 4, 5, 6]) {
    const question = await story.ask(ben, `/vps snapshot web-1 name=at-${hours} in=${hours}h`, "Also scheduled");
    await story.pressing(ben, question, { actionId: "invoke:confirmed" }, "It is scheduled", `at-${hours}`);
  }
  expect(await listing()).toBe(one);
});

test("the file of a bulk is for those who are shown all of it", async () => {
  const { story, zoe } = await inPrivate();
  const { ben, dave, platform, slack } = story;
  platform.addVps(25, "fleet");
  const review = await story.ask(ben, "/vps cancel text=fleet", "All 25 as a file");
  const files = () => slack.state().files.length;
  const before = files();
  await story.pressing(zoe, review, "All 25 as a file", "who decides it, can see that");
  expect(files()).toBe(before);
  await story.pressing(dave, review, "All 25 as a file", "The file is in your direct messages");
});

test("an old button says nothing of a request that its presser is not shown", async () => {
  const { story, zoe } = await inPrivate();
  const { ben } = story;
  const message = await story.ask(ben, cancelling, "asks to");
  await story.pressing(ben, message, backOut, "withdrawn");
  const answer = await story.pressing(zoe, message, goAhead, "You cannot see that request");
  expect(said(answer)).not.toContain("web-1");
});

test("a maintenance window shows the machines that the reader's own key lists, and an admin that there is one", async () => {
  const { story, zoe } = await inPrivate();
  const { ana, ben, dave } = story;
  await story.ask(ben, "/rackbell maintenance web-1 22:00-23:00", "`web-1` is under maintenance");
  await story.ask(dave, "/rackbell maintenance list", "`web-1`");
  await story.ask(zoe, "/rackbell maintenance list", "There are no maintenance windows that you can see");
  const listed = await story.ask(ana, "/rackbell maintenance list", "machines that your keys do not list");
  expect(said(listed)).not.toContain("web-1");
});

test("a search, and Act on this, show nothing of a request beyond what the reader's own key lists", async () => {
  const { story, zoe } = await inPrivate();
  const { dave } = story;
  await scheduled(story);
  await story.ask(zoe, "/rackbell search web-1", "Nothing that you can see");
  expect(said(await story.ask(dave, "/rackbell search web-1", "`web-1`"))).not.toMatch(details);
  for (const actor of [zoe, dave]) {
    const message = await story.ben.say("web-1 does not answer", "#ops");
    await actor.shortcut("act_on_this", message);
    await story.modal(actor, actor === zoe ? "has no name, host name, address or id" : "is running");
    expect(JSON.stringify(actor.modal())).not.toMatch(details);
  }
});

test("a member who requests the same is pointed to the private request, without the loss that it names", async () => {
  const { story } = await inPrivate(["ben", "dave"]);
  const { ben, dave, platform } = story;
  platform.setScopes(platform.keys.dave, ["read", "destructive"]);
  await story.ask(dave, "/rackbell whoami", "dave");
  const request = await story.askIn("#vault", ben, "/vps cancel web-1", "asks to");
  expect(JSON.stringify(request)).toMatch(details);
  const pointed = await story.ask(dave, "/vps cancel web-1", "was requested by", "nothing new was requested");
  // The dialog behind a button names the loss as well.
  expect(JSON.stringify(pointed)).not.toMatch(details);
});

test("no command of Rackbell's own names a machine that the reader's keys do not list: neither alerts and mutes nor windows, protections and requests", async () => {
  const { story, zoe } = await inPrivate(["ana", "ben"]);
  const { ana, ben, dave, slack } = story;
  slack.kick("vault", "caro");
  slack.invite("vault", "ana");
  await becomesAdmin(story, "ben");
  await story.ask(ana, "/rackbell protect worker-2", "is protected now");
  await passADay(story);
  await story.ask(ana, "/rackbell protect worker-2 lift=yes", "another one must agree within 24 hours");
  await story.ask(ana, "/rackbell alerts set #vault about=worker-2 except=cache-1", "Saved");
  await story.ask(ana, "/rackbell alerts mute worker-2 hours=20", "muted");
  await story.ask(ana, "/rackbell maintenance worker-2 22:00-23:00", "under maintenance");
  await story.ask(ana, "/rackbell star worker-2", "worker-2");
  await story.ask(ana, "/rackbell watch vps worker-2", "worker-2");
  await story.ask(ana, "/rackbell save nightly = /vps stop worker-2", "Saved");
  await story.askIn("#vault", ben, "/vps cancel worker-2", "asks to");
  const lines = registry.all
    .filter(
      ({ api, summary, command }) => api === "app" && !/^For admins/.test(summary) && command !== "rackbell unlink",
    )
    .map(({ command }) => `/${command}`);
  expect(lines.length).toBeGreaterThan(25);
  // Dave has linked no key, and Zoe's is of another account.
  for (const reader of [dave, zoe]) {
    const before = new Set(reader.sees().map(({ ts }) => ts));
    const fresh = () => reader.sees().filter(({ ts }) => !before.has(ts));
    for (const line of lines) {
      const answered = fresh().length;
      await reader.type(line);
      await slack.until(() => fresh().length > answered || reader.modal(), `an answer to ${line}`);
      expect([line, named.exec(JSON.stringify(reader.modals()))]).toEqual([line, null]);
      if (reader.modal()) await reader.closeModal({ all: true });
    }
    await reader.openHome();
    await slack.until(() => reader.home(), "Home to be shown");
    const shown = [...fresh().map((message) => JSON.stringify(message)), JSON.stringify(reader.home())];
    expect(shown.filter((text) => named.test(text))).toEqual([]);
    expect(shown.join()).toContain("resources that your keys do not list");
  }
  const own = said(await story.askIn("#vault", ben, "/rackbell alerts", "Alerts by channel"));
  expect(own).toContain("about `worker-2` alone");
});

const named = /worker-2|cache-1/;

test("a card in a channel names no act that its own requester scheduled in private, and the requester alone reads it", async () => {
  const { story } = await inPrivate();
  const { ben, dave } = story;
  await scheduled(story);
  await story.ask(ben, '/vps reinstall web-1 image="Debian 13" in=2h', "asks to");
  const beside = await story.sees(dave, "asks to", "Also scheduled for the same resource: another act");
  expect(said(beside)).not.toContain("Cancel `web-1`");
  await story.askIn("dm", ben, "/vps snapshot web-1 name=before in=3h", "Also scheduled for", "Cancel `web-1`");
});

test("a card in a channel names no order that was made in private", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, dave, slack } = story;
  slack.invite("vault", "rackbell");
  const shop = { "Host name": "shop.example.test" };
  await ana.type("/order new VPS S", "#vault");
  await fillOrder(story, ana, shop);
  await ana.press(await story.seesIn("#vault", ana, "VPS S", "before tax"), goAhead);
  await story.seesIn("#vault", ana, "Ordered 1 × `VPS S`");
  await story.ask(ana, '/rackbell policy add demand=one-approval command="order new"', "In effect now");
  await ben.type("/order new VPS S");
  await fillOrder(story, ben, shop);
  const card = said(await story.sees(dave, "asks to", "VPS S", "Somebody ordered the same"));
  expect(card).not.toContain(`<@${ana.user.id}> ordered`);
});
