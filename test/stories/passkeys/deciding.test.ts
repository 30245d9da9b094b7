import { expect, test } from "vitest";
import { cooling } from "../bulk/machines.ts";
import { goAhead, pressInDetails, said, startStory, withControl, writes } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import {
  addressIn,
  confirm,
  counted,
  linkOf,
  makeWith,
  nothingToDecide,
  open,
  openRequest,
  passkeyButton,
  passkeysOn,
  pressForLink,
  protectedStory,
  register,
  send,
  signed,
  uncounted,
} from "./passkeys.ts";

const minute = 60_000;
const hour = 60 * minute;

test("an approval takes the approver's passkey: the press opens a page, and the page goes on as a press does", async () => {
  const { story, devices } = await protectedStory();
  const { ana } = story;
  const { address } = await openRequest(story);
  const page = await open(story, address);
  expect(page.html).toContain("web-2");
  expect(page.html).toContain("@ana");
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  expect(writes(story)).toHaveLength(1);
  const log = said(await story.ask(ana, "/rackbell audit verify", "is whole"));
  expect(log).toContain("3 signatures by passkeys are proven");
});

test("a requester confirms with a passkey where nobody else must approve, and what runs at once waits for one as well", async () => {
  const { story, devices } = await protectedStory();
  const { ana } = story;
  await story.ask(ana, "/rackbell policy add demand=confirm risk=change command=vps passkey=yes", "In effect now");
  const card = await story.ask(ana, "/vps reboot web-1", "This needs a passkey");
  const address = await pressForLink(story, ana, card);
  expect(await confirm(story, address, devices.ana)).toMatchObject({ title: counted });
  await story.sees(ana, "`web-1`", "running");
});

test("an emergency override takes the admin's passkey, after the reason is given", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await pressInDetails(story, caro, card, "Override…");
  await story.modal(caro, "Why?");
  await caro.fill({ "Why?": "The disk is failing" });
  await caro.submit();
  await story.modal(caro, "asks for your passkey", "override there");
  expect(writes(story)).toEqual([]);
  const address = addressIn(caro.modal()?.blocks ?? []);
  expect((await open(story, address)).html).toContain("The disk is failing");
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await story.sees(ana, "Emergency override");
});

test("a page whose request another member decided meanwhile, or its requester withdrew, asks for no passkey, and takes none that was signed before", async () => {
  const { story, devices } = await protectedStory({ rule: "demand=one-approval risk=change command=vps passkey=yes" });
  const { ana, ben, caro } = story;
  const bens = await register(story, ben);
  const card = await story.ask(ana, "/vps reboot web-1 in=2h", "This needs a passkey");
  const links = { ben: await pressForLink(story, ben, card), caro: await pressForLink(story, caro, card) };
  const signedBefore = await signed(story, links.ben, bens);
  expect(await confirm(story, links.caro, devices.caro)).toMatchObject({ title: counted });
  await story.sees(ana, "It is scheduled for", "web-1");
  expect((await open(story, links.ben)).html).toContain(nothingToDecide);
  expect(await send(story, links.ben, signedBefore)).toMatchObject({ title: nothingToDecide });
  await story.ask(ana, "/rackbell audit verify", "is whole", "4 signatures by passkeys are proven");
  const withdrawn = await story.ask(ana, "/vps reboot web-2", "This needs a passkey");
  const address = await pressForLink(story, caro, withdrawn);
  const answer = await signed(story, address, devices.caro);
  await ana.press(withdrawn, "Withdraw");
  await story.sees(ana, "withdr");
  expect(await send(story, address, answer)).toMatchObject({ title: nothingToDecide });
  expect((await open(story, address)).html).toContain("nothing to decide");
  expect(writes(story)).toEqual([]);
});

test.each([
  ["that another member approved", "one-approval", "approval"],
  ["that its requester confirmed alone", "confirm", "confirmation"],
] as const)("another time of a schedule %s takes another passkey", async (_, demand, decision) => {
  const rule = `demand=${demand} risk=change command=vps passkey=yes`;
  const { story, devices } = await protectedStory({ rule });
  const { ana, clock } = story;
  const [decider, device] = demand === "one-approval" ? [story.caro, devices.caro] : [ana, devices.ana];
  const card = await story.ask(ana, "/vps reboot web-1 in=2h", "This needs a passkey");
  expect(await confirm(story, await pressForLink(story, decider, card), device)).toMatchObject({ title: counted });
  const scheduled = await story.sees(ana, "It is scheduled for", "web-1");
  await ana.press(scheduled, "request:move");
  await story.modal(ana, `needs a new ${decision}`);
  const later = clock.now() + 5 * hour;
  await ana.fill({ "When?": Math.floor(later / 1_000) });
  await ana.submit();
  await story.sees(ana, "rescheduled it from", `It needs ${decision} for that time`);
  const moved = await story.sees(ana, "This needs a passkey", "web-1");
  await story.ask(ana, "/rackbell audit web-1", `It needs ${decision} again`);
  expect(await confirm(story, await pressForLink(story, decider, moved), device)).toMatchObject({ title: counted });
  // The first time passes, and nothing happens.
  clock.skip(3 * hour);
  await story.ask(ana, "/rackbell scheduled", "Reboot `web-1`");
  expect(writes(story)).toEqual([]);
  await story.passes(() => writes(story).length === 1, "the act at its new time", 10 * minute);
  expect(clock.now()).toBeGreaterThanOrEqual(Math.floor(later / 1_000) * 1_000);
  await story.ask(ana, "/rackbell audit verify", "is whole", "4 signatures by passkeys are proven");
});

test("a schedule takes one passkey over the time, and does not start once that passkey was removed: it may have been stolen", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro, clock } = story;
  for (const act of ["web-2 in=2h", "db-1 in=4h"]) {
    const card = await story.ask(ana, `/vps cancel ${act}`, "This needs a passkey");
    expect(await confirm(story, await pressForLink(story, caro, card), devices.caro)).toMatchObject({ title: counted });
    await story.sees(ana, "scheduled", act.slice(0, 4));
  }
  expect(writes(story)).toEqual([]);
  clock.skip(2 * hour);
  await story.passes(() => writes(story).length === 1, "the scheduled act");
  await confirm(story, await linkOf(story, caro, "/rackbell passkey remove phone"), devices.caro);
  clock.skip(2 * hour);
  await story.comesToSee(ana, "with which it was decided was removed");
  expect(writes(story)).toHaveLength(1);
});

test("two approvals are two passkeys of two people, and one no longer counts once its passkey was removed", async () => {
  const { story, devices } = await protectedStory();
  const { ana, ben, caro } = story;
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy passkey=yes", "In effect now");
  const bens = await register(story, ben);
  const card = await story.ask(ana, "/vps cancel web-2", "Two others than");
  expect(await confirm(story, await pressForLink(story, caro, card), devices.caro)).toMatchObject({ title: counted });
  const half = await story.sees(ana, "1 of 2");
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, await pressForLink(story, ben, half), bens)).toMatchObject({ title: counted });
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  const other = await story.ask(ana, "/vps cancel db-1", "This needs a passkey");
  expect(await confirm(story, await pressForLink(story, ben, other), bens)).toMatchObject({ title: counted });
  await story.sees(ana, "One more member must approve it", "db-1");
  await confirm(story, await linkOf(story, ben, "/rackbell passkey remove phone"), bens);
  const { title, text } = await confirm(story, await pressForLink(story, caro, other), devices.caro);
  expect([title, text?.join(" ")]).toEqual([counted, expect.not.stringContaining("ends")]);
  expect(writes(story)).toHaveLength(1);
});

test("after the backup, nothing is destroyed once the passkey that approved it was removed", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  const copyFirst = { actionId: "request:passkey-copy" };
  await caro.press(await withControl(caro, card, copyFirst, story.slack.until), copyFirst);
  await story.modal(caro, "asks for your passkey");
  const address = addressIn(caro.modal()?.blocks ?? []);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await confirm(story, await linkOf(story, caro, "/rackbell passkey remove phone"), devices.caro);
  await story.comesToSee(ana, "with which it was decided was removed");
  expect(writes(story).filter(({ method }) => method === "DELETE")).toEqual([]);
});

/** The rule of a request that was decided without a passkey. */
const unproven = "demand=one-approval risk=destroy";
/** A rule that comes after the decision. It is laxer than the rule that the request was decided by, but for the passkey. */
const asksForPasskey = "/rackbell policy add demand=confirm risk=destroy passkey=yes";

test("after the backup, nothing is destroyed if a rule asks for a passkey by then, and that rule is quoted", async () => {
  const story = await startStory({ linked: ["ana", "caro"], pace: 8, environment: passkeysOn, rules: [unproven] });
  const { ana, caro } = story;
  const card = await story.ask(ana, "/vps cancel web-2", "Somebody other than", "Back up first");
  await story.pressing(caro, card, "request:copy", "Capturing");
  await story.ask(ana, asksForPasskey, "In effect now");
  await story.comesToSee(ana, "not decided with a passkey", "confirmation, with a passkey", "`web-2` is as it was");
  expect(writes(story).filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("a bulk request stops before its next machine if a rule asks for a passkey by then, and that rule is quoted", async () => {
  const story = await startStory({ linked: ["ana", "caro"], environment: passkeysOn, rules: [unproven] });
  const { ana, caro, platform, clock } = story;
  platform.faults.next({ how: cooling, method: "DELETE", path: `/vps/${platform.findVps("db-1").id}` });
  const card = await story.ask(ana, "/vps cancel web-2 db-1", "Somebody other than");
  await caro.press(card, goAhead);
  await story.comesToSee(ana, "1 of 2 done", "the platform asked to wait");
  await story.ask(ana, asksForPasskey, "In effect now");
  clock.skip(900_000);
  await story.comesToSee(ana, "1 of 2 was done", "not decided with a passkey", "confirmation, with a passkey");
  expect(writes(story)).toHaveLength(2);
});

test("several machines take one passkey over the whole list, and the rest is left as it is once that passkey was removed", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro, platform } = story;
  const { address } = await openRequest(story, "/vps cancel web-2 db-1");
  expect((await open(story, address)).html).toMatch(/web-2[\s\S]*db-1|db-1[\s\S]*web-2/);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await story.passes(() => writes(story).length === 2, "both acts");
  const other = await openRequest(story, "/vps cancel web-1 mail");
  platform.faults.next({ how: "late", method: "DELETE", lateMs: 5_000 });
  await confirm(story, other.address, devices.caro);
  await story.passes(() => writes(story).length === 3, "the first of them");
  await confirm(story, await linkOf(story, caro, "/rackbell passkey remove phone"), devices.caro);
  await story.comesToSee(ana, "with which it was decided was removed");
  expect(writes(story)).toHaveLength(3);
});

test("a second passkey is proven by the first one, and works as well; a removed one does not", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  const second = createAuthenticator();
  const address = await linkOf(story, caro, "/rackbell passkey", "asks for one of your passkeys");
  expect(await makeWith(story, address, {}, second, { name: "key", by: devices.caro })).toMatchObject({
    title: "Your passkey is ready",
  });
  await story.ask(caro, "/rackbell passkey list", "2 passkeys of yours", "key");
  expect(await confirm(story, await linkOf(story, caro, "/rackbell passkey remove phone"), second)).toMatchObject({
    title: counted,
  });
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  const approval = await pressForLink(story, caro, card);
  expect(await confirm(story, approval, devices.caro)).toMatchObject({ title: uncounted });
  expect(await confirm(story, approval, second)).toMatchObject({ title: counted });
  await story.ask(ana, "/rackbell audit verify", "is whole", "5 signatures by passkeys are proven");
});

test("a request that waits needs a passkey from the moment a rule asks for it", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=change", "In effect now");
  const card = await story.ask(ana, "/vps reboot web-1", "Somebody other than");
  await story.ask(ana, "/rackbell policy add demand=confirm risk=change passkey=yes", "In effect now");
  const tightened = await story.sees(ana, "This needs a passkey", "web-1");
  expect(said(card)).not.toContain("needs a passkey");
  expect(await confirm(story, await pressForLink(story, caro, tightened), devices.caro)).toMatchObject({
    title: counted,
  });
});

test("the approver of an act that destroys a protected machine types its name first, and signs with the passkey then", async () => {
  const { story, devices } = await protectedStory();
  const { ana, ben, caro } = story;
  await story.ask(ben, "/rackbell protect web-2", "is protected now");
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey", "Protected by `@ben`");
  await caro.press(card, passkeyButton);
  await story.modal(caro, "Type its name: web-2");
  await caro.fill({ "Type its name: web-2": "web-1" });
  expect(JSON.stringify(await caro.submit())).toContain("Type “web-2”");
  await caro.fill({ "Type its name: web-2": "web-2" });
  await caro.submit();
  const address = addressIn((await story.sees(caro, "asks for your passkey")).blocks);
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await story.sees(ana, ":white_check_mark:", "`web-2` ends");
  expect(writes(story)).toHaveLength(1);
});
