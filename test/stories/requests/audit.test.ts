import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { fileStore, goAhead, type Message, peer, said, startStory, withControl } from "../story.ts";

test("every decision and run is recorded: who asked, who approved, with which key, and what came of it", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
  await story.ask(ana, "/vps start suspended-1", "said no");
  const list = said(await story.ask(ana, "/rackbell audit", "Audit entries of yours"));
  expect(list).toContain(
    `*done* · \`vps cancel\` \`web-1\`\n<@${ana.user.id}>, decided by <@${ben.user.id}> · key \`ana\``,
  );
  expect(list).toContain("*asked* · `vps cancel`");
  expect(list).toContain("*approved* · `vps cancel`");
  expect(list).toContain("*refused* · `vps start` `suspended-1`");
  const theirs = said(await story.ask(ben, "/rackbell audit", "Audit entries of yours"));
  expect(theirs).toContain("approved by");
  expect(theirs).not.toContain("vps start");
});

test("a member who only took, released or deferred a request, or denied it, is in no entry its approver or decider", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, clock, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-2", "asks to");
  const taken = await story.pressing(caro, request, "Take", "took this");
  await story.pressing(caro, taken, "Release", /^(?![\s\S]*took this)/);
  const later = { actionId: "request:defer" };
  await ben.press(await withControl(ben, request, later, slack.until), later);
  await story.modal(ben, "Defer the request");
  await ben.fill({ "Until when?": Math.floor(clock.now() / 1_000) + 3_600, "Why?": "After the release." });
  await ben.submit();
  await caro.press(await story.sees(caro, "deferred it until"), "request:deny");
  await story.modal(caro, "Deny the request");
  await caro.fill({ "Why?": "It is in use." });
  await caro.submit();
  await story.sees(ana, "denied");
  const list = await story.ask(ana, "/rackbell audit web-2", "*denied*", "*taken*");
  const named = said(list).matchAll(/\*([a-z ]+)\* · .*\n<@\w+>(?:, (.+? by) <@(\w+)>)?/g);
  const people = [...named].map(([, what, part, by]) => [what, part, by]);
  const own = { ben: ben.user.id, caro: caro.user.id };
  expect(people.slice(0, 4)).toEqual([
    ["denied", "denied by", own.caro],
    ["deferred", "deferred by", own.ben],
    ["released", "released by", own.caro],
    ["taken", "taken by", own.caro],
  ]);
  expect(people.slice(4).filter(([, part]) => part !== undefined)).toEqual([]);
  await story.pressing(ana, list, "As a file", "in your direct messages");
  const table = await slack.until(() => slack.state().files[0], "the export");
  const [head = [], ...rows] = Buffer.from(table.content)
    .toString()
    .split("\r\n")
    .map((line) => line.split(","));
  const cells = (row: string[]) => ["what", "decided by", "pressed by"].map((name) => row[head.indexOf(name)]);
  expect(rows.map(cells).filter(([, ...some]) => some.join("") !== "")).toEqual([
    ["denied", own.caro, ""],
    ["deferred", "", own.ben],
    ["released", "", own.caro],
    ["taken", "", own.caro],
  ]);
  await story.pressing(ana, list, "As OCSF", "in your direct messages");
  const lines = await slack.until(() => slack.state().files[1], "the export as JSON lines");
  const entries = Buffer.from(lines.content)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const deciders = entries.filter(({ unmapped }) => unmapped.decided_by !== undefined);
  expect(deciders.map(({ metadata, unmapped }) => [metadata.event_code, unmapped.decided_by])).toEqual([
    ["denied", expect.stringMatching(`:${own.caro}$`)],
  ]);
  const take = entries.find(({ metadata }) => metadata.event_code === "taken");
  expect(take?.actor.user.name).toBe(own.caro);
});

test("members see their own, admins everybody's, and filters find a machine or a command", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ben, "/vps move mail project=Staging", "moved from");
  await story.ask(ana, "/rackbell audit", "No entry of yours");
  await story.ask(ana, "/rackbell audit everyone=yes", "Audit entries of everybody", "vps move");
  await story.ask(ben, "/rackbell audit everyone=yes", "Only admins see everybody's");
  await story.ask(ben, "/rackbell audit MAIL", "vps move");
  await story.ask(ben, "/rackbell audit vps move", "vps move");
  await story.ask(ben, "/rackbell audit web-1", "No entry of yours about `web-1`");
});

test("the export is a file of plain words that no spreadsheet runs", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  platform.change(platform.findVps("mail").id, { name: '=HYPERLINK("http://x")' });
  await story.ask(ana, '/vps move "=HYPERLINK(\\"http://x\\")" project=Staging', "moved from");
  await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/rackbell audit export=yes", "in your direct messages");
  const file = await slack.until(() => slack.state().files[0], "the export");
  const text = Buffer.from(file.content).toString();
  expect(text.split("\r\n")[0]).toContain("asked by,decided by,pressed by,key");
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(text).not.toContain("<!date");
  const list = await story.ask(ana, "/rackbell audit", "Audit entries of yours");
  await story.pressing(ana, list, "As OCSF", "in your direct messages");
  const second = await slack.until(() => slack.state().files[1], "the export as JSON lines");
  const lines = Buffer.from(second.content).toString().trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  expect(second.name).toBe("rackbell-audit.jsonl");
  expect(entries.map(({ metadata }) => metadata.event_code)).toEqual(["asked", "done", "begun"]);
  expect(entries[0]).toMatchObject({ class_uid: 6003, activity_name: "vps cancel", status: "asked" });
});

test("the reason of a request is in each of its entries, in the list and in both files", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const request = await story.ask(ana, '/vps cancel web-1 reason="The *customer* left us"', "asks to");
  await story.pressing(ana, request, goAhead, ":white_check_mark:");
  const list = await story.ask(ana, "/rackbell audit web-1", "*done*", "*confirmed*", "*asked*");
  expect(said(list).match(/Why: The ∗customer∗ left us/g)).toHaveLength(3);
  await story.pressing(ana, list, "As a file", "in your direct messages");
  const table = await slack.until(() => slack.state().files[0], "the export");
  const [columns, ...rows] = Buffer.from(table.content).toString().trimEnd().split("\r\n");
  expect(columns).toMatch(/,outcome,reason,agent,agent's program,agent's reason$/);
  for (const row of rows) expect(row).toMatch(/,The \*customer\* left us,,,$/);
  await story.pressing(ana, list, "As OCSF", "in your direct messages");
  const lines = await slack.until(() => slack.state().files[1], "the export as JSON lines");
  for (const line of Buffer.from(lines.content).toString().trimEnd().split("\n"))
    expect(JSON.parse(line).unmapped).toMatchObject({ reason: "The *customer* left us" });
});

test("the reason of what runs at once is recorded too, for one machine and for each of several", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, '/vps move mail project=Staging reason="Tidying up"', "moved from");
  await story.ask(ana, "/rackbell audit mail", "*done*", "Why: Tidying up");
  const both = await story.ask(ana, '/vps reboot web-1 web-2 reason="A new kernel"', "web-2");
  await ana.press(both, goAhead);
  await story.comesToSee(ana, "All 2 are done");
  const list = await story.ask(ana, "/rackbell audit web-2", "*done*");
  expect(said(list)).toContain("Why: A new kernel");
});

test("older entries are a press away", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  // Each machine in its turn: the message of a move may come before its lock is free, and the next move of the machine would be refused.
  for (const project of ["Staging", "Default"])
    for (const name of ["mail", "web-1", "web-2", "db-1", "cache-1", "windows-1"])
      await story.ask(ana, `/vps move ${name} project=${project}`, "moved from");
  const first = await story.ask(ana, "/rackbell audit", "Audit entries of yours");
  const older = await story.pressing(ana, first, "Older", "Audit entries of yours");
  expect(said(older).match(/vps move/g)).toHaveLength(2);
});

test("an admin verifies the record: whole, then broken once a row was changed by hand in the file", async () => {
  const url = fileStore();
  const story = await startStory({ linked: ["ana", "ben"], environment: { STORE_URL: url } });
  const { ana, ben, clock } = story;
  await story.ask(ben, "/vps move mail project=Staging", "moved from");
  await story.ask(ben, "/rackbell audit verify", "Only an admin");
  await story.ask(
    ana,
    "/rackbell audit verify",
    "are signed and not sealed yet",
    "within the last minute would not show",
  );
  clock.skip(60_000);
  const look = async () => said(await story.ask(ana, "/rackbell audit verify", "The audit log is whole"));
  await expect.poll(look).not.toContain("not sealed yet");
  const whole = await look();
  expect(whole).toContain("The 2 sealed entries are as written, and in order. Sealing began");
  const note = /`(\d+\.[\w-]{22})`/.exec(whole)?.[1] ?? "";
  await story.ask(ana, `/rackbell audit verify ${note}`, "The checkpoint that you gave is in it");
  await story.ask(ana, "/rackbell audit verify 12", "This is not a checkpoint");

  await story.app.stop();
  const file = new DatabaseSync(url.replace("sqlite:", ""));
  const rewrite = "UPDATE text SET text = replace(text, ?, ?) WHERE key LIKE 'value:~entry:%'";
  const { changes } = file.prepare(rewrite).run(ben.user.id, ana.user.id);
  file.close();
  expect(changes).toBeGreaterThan(0);
  await story.restart();
  await story.ask(
    ana,
    "/rackbell audit verify",
    "The audit log is not as it was written",
    "`vps move` on `mail`",
    "it was changed",
  );
});

test("the newest checkpoint is posted once a day where requests go, and the record is held to it by a press", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock } = story;
  await story.ask(ben, "/rackbell audit post", "Only an admin");
  await story.ask(ana, "/rackbell audit post", "There is no approvals channel to post to");
  await story.ask(ana, "/rackbell approvals channel #ops", "are posted in");
  await story.ask(ana, "/rackbell audit post", "once a day");
  const first = await story.sees(ben, "Checkpoint 1 of the audit");
  await story.pressing(ana, first, "Compare the audit log", "The checkpoint that you gave is in it");
  await story.pressing(ben, first, "Compare the audit log", "Only an admin");
  await story.ask(ben, "/vps move mail project=Staging", "moved from");
  await expect
    .poll(
      () => {
        clock.skip(3 * 3_600_000);
        return ana.sees("#ops").some((message) => said(message).includes("Checkpoint 2 of"));
      },
      { interval: 20 },
    )
    .toBe(true);
  await story.ask(ana, "/rackbell audit post off", "no longer posted");
  await story.ask(ben, "/vps move mail project=Default", "moved from");
  for (let hour = 0; hour < 26; hour += 1) clock.skip(3_600_000);
  await story.ask(ana, "/rackbell audit verify", "The audit log is whole");
  const posted = ana
    .sees("#ops")
    .map(said)
    .filter((text) => text.startsWith("Checkpoint "));
  expect(posted.map((text) => text.slice(0, 12))).toEqual(["Checkpoint 1", "Checkpoint 2"]);
});

test("a checkpoint that was posted in the former approvals channel comes to the new one as well, and stays where it was", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, slack } = story;
  await story.ask(ana, "/rackbell approvals channel #ops", "are posted in");
  await story.ask(ana, "/rackbell audit post", "once a day");
  await story.sees(ben, "Checkpoint 1 of the audit");
  await story.ask(ana, "/rackbell approvals channel #general", "are posted in");
  await story.ask(ana, "/rackbell audit post", "once a day");
  const isIn = (channel: string) => ana.sees(channel).some((message) => said(message).includes("Checkpoint 1 of"));
  await slack.until(() => isIn("#general"), "the post in the new channel");
  expect(isIn("#ops")).toBe(true);
});

test("the reason of a request that nobody else saw is shown to no admin, in the list or in a file, until others see it", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, slack } = story;
  const secret = "a client asked for it";
  const request = await story.ask(ben, `/service renew db-1 reason="${secret}"`, "the next renewal of `db-1`");
  const own = await story.ask(ben, "/rackbell audit db-1", "*asked*");
  expect(said(own)).toContain(secret);
  const list = await story.ask(ana, "/rackbell audit db-1 everyone=yes", "*asked*");
  expect(said(list)).not.toContain(secret);
  await story.pressing(ana, list, "As a file", "in your direct messages");
  const file = await slack.until(() => slack.state().files[0], "the export");
  const text = Buffer.from(file.content).toString();
  expect(text).toContain("service renew");
  expect(text).not.toContain(secret);
  expect(text).not.toContain("(no name)");
  await story.pressing(ben, request, goAhead, "db-1");
  await story.ask(ana, "/rackbell audit db-1 everyone=yes", "*done*", secret);
});

test.each([
  ["stands", false, []],
  ["was taken back", true, ["approval taken back"]],
])(
  "a request that expired names no approver, though the first of two approvals %s",
  async (_, isTakenBack, between) => {
    const rules = ['demand=two-approvals command="vps cancel"'];
    const story = await startStory({ linked: ["ana", "ben", "caro"], rules });
    const { ana, ben, clock } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "Two others than");
    await ben.press(request, goAhead);
    await story.sees(ana, "One more member must approve it");
    if (isTakenBack) await story.ask(ben, "/rackbell unlink force=yes", "erased here");
    clock.skip(61 * 60_000);
    await story.sees(ana, "It expired before it");
    const list = said(
      await story.ask(ana, "/rackbell audit web-1", "*expired*", /It did not have its \w+ in time/, ...between),
    );
    const named = list.matchAll(new RegExp(`\\*([a-z ]+)\\* · .*\n.*approved by <@${ben.user.id}>`, "g"));
    expect([...named].map(([, kind]) => kind)).toEqual(["approved in part"]);
  },
);

test("every setting of alerts and approvals leaves an entry with the new setting", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben"]);
  await story.ask(ana, "/rackbell alerts set #ops events=order.*", "Saved");
  const settings: [command: string, entry: string, outcome: string][] = [
    ["alerts set #ops events=service.*", "alert channel changed", "`service.*`"],
    ["alerts stop #ops", "alert channel removed", "No longer: "],
    ["alerts set #ops how=card", "alert format set", "gets cards alone"],
    ["alerts limits due=5", "alert limits set", "5 days before a payment"],
    ["alerts mute hours=100", "alerts muted", "All alerts are muted"],
    ["alerts mute hours=0", "alerts unmuted", "Unmuted: Alerts."],
    ["approvals channel #ops", "approvals channel set", "Requests to destroy are posted"],
    ["approvals channel none", "approvals channel set", "in the channel where they are typed"],
    ["approvals group @oncall", "approver group set", group],
    ["approvals group none", "approver group set", "No user group approves"],
    ["settings renewal=9 group=@oncall", "alert limits set", "9 days before a renewal"],
    ["settings report=#ops day=friday time=08:30", "weekly report set", "every Friday at 08:30"],
    ["settings report=none", "weekly report ended", "gets no weekly report any more"],
  ];
  await story.ask(ana, "/rackbell audit", "*alert channel added*", "`order.*`");
  for (const [command, entry, outcome] of settings) {
    await story.ask(ana, `/rackbell ${command}`, /./);
    // The newest entry is the first.
    const list = said(await story.ask(ana, "/rackbell audit", `*${entry}*`));
    expect(list.split(" · *")[1]).toContain(entry);
    expect(list.split(" · *")[1]).toContain(outcome);
  }
});

test("a member who asks for a file of everybody's entries is told that they are their own", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben } = story;
  await story.ask(ben, "/rackbell audit everyone=yes export=yes", "in your direct messages");
  await story.seesIn("dm", ben, "Only admins see everybody's; these are yours.");
});

test("the audit log is read by person and by time, and an answer without entries says what Rackbell looked for", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock, slack } = story;
  const day = 24 * 60 * 60_000;
  await story.ask(ben, "/vps move mail project=staging", "moved from");
  clock.skip(2 * day);
  await story.ask(ana, "/vps move web-1 project=staging", "moved from");
  const [early, late] = ["mail", "web-1"];
  const tells = (text: string, wanted: string[]) =>
    expect([early, late].filter((name) => text.includes(name))).toEqual(wanted);
  /** Presses "As a file" of a list, and resolves with the file. */
  const fileOf = async (list: Message) => {
    const before = slack.state().files.length;
    await story.pressing(ana, list, "As a file", "The file is in your direct messages");
    const file = await slack.until(() => slack.state().files[before], "the file");
    return Buffer.from(file.content).toString();
  };
  const bens = await story.ask(ana, `/rackbell audit who=@ben`, `Audit entries of <@${ben.user.id}>`);
  tells(said(bens), [early]);
  tells(said(await story.ask(ana, `/rackbell audit who=@ben everyone=yes`, "Audit entries of <@")), [early]);
  const lately = await story.ask(ana, "/rackbell audit everyone=yes since=1d", "Audit entries of everybody since");
  tells(said(lately), [late]);
  const before = await story.ask(ana, "/rackbell audit everyone=yes until=1d", "Audit entries of everybody until");
  tells(said(before), [early]);
  // A time is one of the reader's clock.
  const clockTime = new Intl.DateTimeFormat("sv", {
    timeZone: "Europe/Madrid",
    dateStyle: "short",
    timeStyle: "short",
  });
  const halfHourAgo = clockTime.format(clock.now() - 30 * 60_000);
  tells(said(await story.ask(ana, `/rackbell audit everyone=yes since="${halfHourAgo}"`, "Audit entries of")), [late]);
  await story.ask(
    ana,
    `/rackbell audit who=@ben since=1d until=1h`,
    new RegExp(`No entry of <@${ben.user.id}> between <!date.* and <!date`),
  );
  // A button means what its list showed, whenever it is pressed.
  clock.skip(2 * day);
  tells(await fileOf(lately), [late]);
  tells(await fileOf(before), [early]);
  tells(await fileOf(bens), [early]);
  await story.seesIn("dm", ana, "of everybody until");
  await story.ask(ben, `/rackbell audit who=@ana`, "Only admins see the entries of others");
  await story.ask(ben, `/rackbell audit who=@ben`, "mail");
  await story.ask(ana, "/rackbell audit since=someday", "Give how long ago");
  await story.ask(ana, "/rackbell audit since=today until=yesterday", "before the time in since=");
});

test.each([true, false])(
  "an admin (with a key that reads: %s) who is not in a private channel reads its requests in the audit log without reasons and losses, in each file too",
  async (isLinked) => {
    const story = await startStory({ linked: ["ben", "caro"], environment: peer });
    const { ana, ben, caro, slack, platform } = story;
    platform.setScopes(platform.keys.ana, ["read"]);
    if (isLinked) await story.link(ana);
    slack.invite("vault", "rackbell");
    slack.kick("vault", "ana");
    const cancel = '/vps cancel web-1 reason="The deal is secret"';
    const denied = await story.askIn("#vault", ben, cancel, "asks to");
    await caro.press(denied, "Deny…");
    await story.modal(caro, "Why?");
    await caro.fill({ "Why?": "The merger comes first" });
    await caro.submit();
    await story.seesIn("#vault", ben, "Denied by");
    await story.askIn("#vault", ben, cancel, "asks to");
    await story.ask(ben, '/vps cancel web-2 reason="It is old"', "asks to");
    const hidden = /The deal is secret|The merger comes first|`web-1` ends|disk \(100 GB\)/;
    const shown = await story.ask(
      ana,
      "/rackbell audit everyone=yes",
      "*denied*",
      "`web-1`",
      "It is old",
      "`web-2` ends",
    );
    expect(said(shown)).not.toMatch(hidden);
    for (const [at, format] of (["csv", "ocsf", "json"] as const).entries()) {
      await story.ask(ana, `/rackbell audit everyone=yes export=yes format=${format}`, "in your direct messages");
      const file = await slack.until(() => slack.state().files[at], `the file as ${format}`);
      const text = Buffer.from(file.content).toString();
      expect(text).toContain("It is old");
      expect(text).not.toMatch(hidden);
      expect(text.includes("web-1")).toBe(format !== "json");
    }
    await story.seesIn("dm", ana, "It lacks 3 entries of private requests");
    await story.ask(ben, "/rackbell audit", "The deal is secret", "The merger comes first", "`web-1` ends");
    // The requests themselves are erased a month after their end.
    story.clock.skip(80 * 24 * 3_600_000);
    const later = await story.ask(ana, "/rackbell audit everyone=yes about=web-1", "*denied*", "`web-1`");
    expect(said(later)).not.toMatch(hidden);
    await story.ask(ana, "/rackbell audit everyone=yes about=web-2", "It is old");
  },
);
