import { expect, test } from "vitest";
import { passADay, passHours } from "../admins.ts";
import { fileStore, type Story, said, startStory } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import {
  addressIn,
  confirm,
  counted,
  keyOf,
  linkOf,
  makeWith,
  pressForLink,
  protectedStory,
  register,
  send,
  signed,
  uncounted,
} from "./passkeys.ts";

/** The id of the rule that needs a passkey. */
async function ruleId(story: Story): Promise<string> {
  const rules = await story.ask(story.ana, "/rackbell policy", "with a passkey");
  return /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
}

test("a looser rule needs a passkey to propose it and another admin's to agree to it, as one for agents does; a stricter one takes none", async () => {
  const { story, devices } = await protectedStory({ environment: { AGENTS: "on" } });
  const { ana, caro } = story;
  const id = await ruleId(story);
  await linkOf(story, ana, '/rackbell policy add agent=run commands="vps reboot"', "asks for your passkey");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=spend", "In effect now");
  const proposing = await linkOf(story, ana, `/rackbell policy remove ${id}`, "asks for your passkey");
  expect(await confirm(story, proposing, devices.caro)).toMatchObject({ title: uncounted });
  expect((await confirm(story, proposing, devices.ana)).text?.join(" ")).toContain("another admin agrees");
  const message = await story.seesIn("dm", caro, "proposes a looser rule");
  await caro.press(message, "Agree");
  const agreeing = await story.seesIn("dm", caro, "asks for your passkey");
  const address = addressIn(agreeing.blocks);
  expect((await confirm(story, address, devices.caro)).text?.join(" ")).toContain("In effect now");
  await story.ask(ana, "/rackbell policy", "needs two approvals");
  await story.ask(ana, "/rackbell audit verify", "is whole", "4 signatures by passkeys are proven");
});

test("a proposal that its proposer proved with a passkey takes effect after a day, if nobody stops it", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=spend", "In effect now");
  const id = await ruleId(story);
  const proposing = await linkOf(story, ana, `/rackbell policy remove ${id}`, "asks for your passkey");
  await confirm(story, proposing, devices.ana);
  await story.seesIn("dm", caro, "proposes a looser rule");
  await story.passes(
    () => ana.sees("dm").some((message) => said(message).includes("Nobody stopped the looser rule")),
    "the proven proposal to take effect",
    60 * 60_000,
  );
  await story.ask(ana, "/rackbell audit verify", "is whole");
});

test("a looser rule takes no effect once the passkey that proposed it was removed, neither after a day nor by another admin", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  const id = await ruleId(story);
  const propose = async () => {
    await confirm(
      story,
      await linkOf(story, ana, `/rackbell policy remove ${id}`, "asks for your passkey"),
      devices.ana,
    );
    return story.seesIn("dm", caro, "proposes a looser rule");
  };
  const further = createAuthenticator();
  const adding = await linkOf(story, ana, "/rackbell passkey");
  await makeWith(story, adding, {}, further, { name: "key", by: devices.ana });
  const message = await propose();
  await confirm(story, await linkOf(story, ana, "/rackbell passkey remove phone"), devices.ana);
  await caro.press(message, "Agree");
  const asked = await story.seesIn("dm", caro, "asks for your passkey");
  const { text } = await confirm(story, addressIn(asked.blocks), devices.caro);
  expect(text?.join(" ")).toContain("must prove it with a passkey that they have");
  await story.seesIn("dm", ana, "passkey with which", "was removed");
  expect(await ruleId(story)).toBe(id);
  const again = await linkOf(story, ana, `/rackbell policy remove ${id}`, "asks for your passkey");
  await confirm(story, again, further);
  await story.seesIn("dm", caro, "Another admin agrees or stops it");
  await confirm(story, await linkOf(story, ana, "/rackbell passkey remove key"), further);
  const ended = await story.passes(
    () => ana.sees("dm").filter((shown) => /It took no effect|Nobody stopped/.test(said(shown)))[1],
    "the end of the second proposal",
    60 * 60_000,
  );
  expect(said(ended)).toContain("was removed");
  expect(await ruleId(story)).toBe(id);
});

test("a proposal from before passkeys were asked for does not take effect by itself once they are", async () => {
  const { story } = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { ana, caro } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=spend", "In effect now");
  const id = await ruleId(story);
  await story.restart({ PASSKEYS: "off" });
  await story.ask(ana, `/rackbell policy remove ${id}`, "another admin agrees", "Nothing changed yet");
  await story.seesIn("dm", caro, "proposes a looser rule");
  await story.restart({ PASSKEYS: "on" });
  const ended = await story.passes(
    () => ana.sees("dm").find((message) => /took no effect|Nobody stopped/.test(said(message))),
    "the end of the proposal",
    60 * 60_000,
  );
  expect(said(ended)).toContain("before rules took passkeys, and proved it with none");
  expect(await ruleId(story)).toBe(id);
});

test("an admin's maintenance window needs a passkey if a rule with one applies only outside windows, and each outcome is counted", async () => {
  const { story, devices } = await protectedStory();
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30", "is under maintenance");
  await story.ask(
    ana,
    "/rackbell policy add demand=two-approvals risk=change window=outside passkey=yes",
    "In effect now",
  );
  const window = async (name: string, how: () => void = () => {}) => {
    const address = await linkOf(story, ana, `/rackbell maintenance ${name} 22:00-23:30`, "asks for your passkey");
    how();
    return (await confirm(story, address, devices.ana)).text?.join(" ");
  };
  expect(await window("web-2")).toContain("is under maintenance");
  await story.ask(ben, "/rackbell maintenance db-1 22:00-23:30", "No rule goes by it");
  await window("nowhere");
  await window("web-1", () => platform.faults.next({ how: "500", method: "GET", times: 99 }));
  const text = await (await fetch(`${story.app.url}/metrics`)).text();
  const counts = text.split("\n").filter((line) => line.includes('command="rackbell maintenance"'));
  expect(counts).toEqual([
    // Those without one, each that asked for the passkey, and the one that was proven.
    'rackbell_commands_total{command="rackbell maintenance",outcome="ok"} 6',
    'rackbell_commands_total{command="rackbell maintenance",outcome="refused"} 1',
    'rackbell_commands_total{command="rackbell maintenance",outcome="failed"} 1',
  ]);
});

test("a member with a passkey links no other key without it, not even after they unlinked theirs", async () => {
  const { story, devices } = await protectedStory();
  const { ben, platform } = story;
  const device = await register(story, ben);
  const other = platform.addKey({ owner: "ben", label: "ben-two" }).key;
  story.secrets.add(other);
  await story.typeKey(ben, other);
  await story.sees(ben, "asks for your passkey");
  await story.ask(ben, "/rackbell whoami", "`ben`");
  await ben.type("/rackbell unlink");
  const question = await story.sees(ben, "cancels your open requests");
  await ben.press(question, "Unlink a key");
  await story.sees(ben, "erased here");
  await story.typeKey(ben, other);
  const links = () => ben.sees("#ops").filter((message) => said(message).includes("asks for your passkey"));
  const again = await story.slack.until(() => links()[1], "the second link");
  await story.ask(ben, "/rackbell whoami", "You have not linked a key yet");
  const address = addressIn(again.blocks);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: uncounted });
  expect((await confirm(story, address, device)).text?.join(" ")).toContain("is linked");
  // The very same key, linked once more, opens nothing new.
  const seen = new Set(ben.sees("#ops").map(({ ts }) => ts));
  await story.typeKey(ben, other);
  const repeated = () => ben.sees("#ops").find((one) => !seen.has(one.ts) && said(one).includes("ben-two"));
  expect(said(await story.slack.until(repeated, "the answer to the same key"))).toContain("is linked");
});

test("the keys of an admin are erased only with a passkey, by themselves or by another admin", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  await ana.type(`/rackbell members unlink <@${caro.user.id}>`);
  const question = await story.sees(ana, "stops tracking their jobs");
  await ana.press(question, "Unlink a member");
  const message = await story.sees(ana, "asks for your passkey");
  await story.ask(caro, "/rackbell whoami", "`caro`");
  const address = addressIn(message.blocks);
  expect((await confirm(story, address, devices.ana)).text?.join(" ")).toContain("erased here");
  await story.ask(caro, "/rackbell whoami", "You have not linked a key yet");
});

test("lost passkeys are replaced by the linked key and an admin's passkey, a day later, and everybody is notified", async () => {
  const { story, devices } = await protectedStory();
  const { ana, ben, caro } = story;
  const lost = await register(story, ben);
  const found = createAuthenticator();
  const address = await linkOf(story, ben, "/rackbell passkey lost", "an admin who has a passkey approves it");
  expect(await makeWith(story, address, { key: keyOf(story, ben) }, found, { name: "new" })).toMatchObject({
    title: "The new passkey waits",
  });
  await story.seesIn("dm", caro, "lost their passkeys");
  await story.ask(ben, `/rackbell passkey recover <@${ben.user.id}>`, "Only an admin");
  const recovering = await linkOf(story, caro, `/rackbell passkey recover <@${ben.user.id}>`, "asks for your passkey");
  expect(await confirm(story, recovering, devices.caro)).toMatchObject({ title: counted });
  await story.seesIn("dm", ana, "approved the new passkey");
  await story.ask(ben, "/rackbell passkeys", "`phone`", "A new one waits", "Stop the new one");
  await passHours(story, 30);
  await story.seesIn("dm", ben, "is in effect");
  const listed = await story.ask(ben, "/rackbell passkeys", "1 passkey of yours", "`new`", "Replace lost ones");
  expect(said(listed)).not.toContain("phone");
  await story.pressing(ben, listed, "Remove", "asks for your passkey");
  const removing = await linkOf(story, ben, "/rackbell passkey remove new");
  expect(await confirm(story, removing, lost)).toMatchObject({ title: uncounted });
  expect(await confirm(story, removing, found)).toMatchObject({ title: counted });
  await story.ask(ana, "/rackbell audit verify", "is whole", "5 signatures by passkeys are proven");
});

test("an admin approves no new passkey of a second account of theirs, and a key that was linked within a day replaces none", async () => {
  const { story, devices } = await protectedStory();
  const { ben, caro, platform } = story;
  await register(story, ben);
  const address = await linkOf(story, ben, "/rackbell passkey lost");
  await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator(), { name: "new" });
  // From now on one platform user is behind both accounts.
  const { key } = platform.addKey({ owner: "ben", label: "ben-two" });
  story.secrets.add(key);
  await story.typeKey(caro, key);
  const asked = await story.sees(caro, "asks for your passkey");
  expect((await confirm(story, addressIn(asked.blocks), devices.caro)).text?.join(" ")).toContain("is linked");
  await story.ask(caro, `/rackbell passkey recover <@${ben.user.id}>`, "somebody else than the member");
  await story.link(ben);
  await story.ask(ben, "/rackbell passkey lost", "less than 24 hours ago");
});

test("a recovery that somebody stopped, or whose approving passkey was removed meanwhile, changes nothing", async () => {
  const { story, devices } = await protectedStory();
  const { ben, caro } = story;
  await register(story, ben);
  const begin = async () => {
    const address = await linkOf(story, ben, "/rackbell passkey lost");
    await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator(), { name: "thief" });
    const recovering = await linkOf(story, caro, `/rackbell passkey recover <@${ben.user.id}>`);
    expect(await confirm(story, recovering, devices.caro)).toMatchObject({ title: counted });
  };
  await begin();
  await story.ask(ben, `/rackbell passkey stop <@${ben.user.id}>`, "Stopped");
  await passHours(story, 30);
  expect(said(await story.ask(ben, "/rackbell passkey list", "`phone`"))).not.toContain("thief");
  await begin();
  const removing = await linkOf(story, caro, "/rackbell passkey remove phone");
  expect(await confirm(story, removing, devices.caro)).toMatchObject({ title: counted });
  await passHours(story, 30);
  await story.seesIn("dm", ben, "does not take effect");
  expect(said(await story.ask(ben, "/rackbell passkey list", "`phone`"))).not.toContain("thief");
});

test("PASSKEYS=required asks for everything that destroys, whatever the rules say", async () => {
  const story = await startStory({
    linked: ["ana"],
    environment: { PASSKEYS: "required", APPROVALS: "self" },
    rules: ["demand=confirm risk=destroy command=vps"],
  });
  const { ana } = story;
  await passADay(story);
  const device = await register(story, ana);
  await story.ask(ana, "/rackbell policy try vps cancel web-1", "needs a passkey");
  const card = await story.ask(ana, "/vps cancel web-1", "This needs a passkey");
  const address = await pressForLink(story, ana, card);
  expect(await send(story, address, await signed(story, address, device))).toMatchObject({ title: counted });
});

test("without an address at which a passkey works, the rule is refused with the reason", async () => {
  const off = await startStory({ linked: ["ana"] });
  await off.ask(off.ana, "/rackbell policy add demand=one-approval risk=destroy passkey=yes", "Passkeys are off here");
  await off.ask(off.ana, "/rackbell passkey", "PASSKEYS=on");
  const ip = await startStory({ linked: ["ana"], environment: { PASSKEYS: "on", PUBLIC_URL: "https://192.0.2.7" } });
  await ip.ask(ip.ana, "/rackbell policy add demand=one-approval risk=destroy passkey=yes", "is an IP address");
  const http = await startStory({
    linked: ["ana"],
    environment: { PASSKEYS: "on", PUBLIC_URL: "http://127.0.0.1:8080" },
  });
  await http.ask(http.ana, "/rackbell policy add demand=one-approval risk=destroy passkey=yes", "is an IP address");
  expect(await (await fetch(`${ip.app.url}/readyz`)).text()).toContain("is an IP address");
});
