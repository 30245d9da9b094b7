import { expect, test } from "vitest";
import { cooling } from "../bulk/machines.ts";
import { billOf, reviewOf } from "../ordering.ts";
import {
  everybody,
  goAhead,
  type Message,
  peer,
  pressInDetails,
  type Story,
  said,
  startStory,
  withControl,
  writes,
} from "../story.ts";

test("two others must approve where a rule says so; it runs with the second, unless the first lost the scope since", async () => {
  const story = await startStory({ linked: everybody, rules: ['demand=two-approvals command="vps cancel"'] });
  const { ana, ben, caro, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Two others than", "The rule:");
  await story.pressing(ben, request, goAhead, "Approved by", "1 of 2");
  await story.pressing(ben, request, goAhead, "You approved this already");
  expect(writes(story)).toEqual([]);
  const done = await story.pressing(caro, request, goAhead, "ends");
  expect(said(done)).toContain(`approved by <@${ben.user.id}> and <@${caro.user.id}>`);
  expect(writes(story)).toHaveLength(1);
  const other = await story.ask(ana, "/vps cancel web-2", "asks to");
  await story.pressing(ben, other, goAhead, "1 of 2");
  platform.setScopes(platform.keys.ben, ["read"]);
  const still = await story.pressing(caro, other, goAhead, "1 of 2", `<@${caro.user.id}>`);
  expect(said(still)).not.toContain(`Approved by <@${ben.user.id}>`);
  expect(writes(story)).toHaveLength(1);
});

test("a spend over the limit needs a peer, who sees its price and no balance; the requester alone decides one below it", async () => {
  const story = await startStory({ linked: everybody, rules: ['demand=one-approval over="10 EUR"'] });
  const { ana, ben } = story;
  const own = await story.ask(
    ana,
    `/billing pay ${billOf(story, "Renewal of web-2").number} amount=1.00`,
    "1.00",
    "Your balance",
  );
  expect(own.ephemeralTo).toBeDefined();
  const request = await story.ask(
    ana,
    `/billing pay ${billOf(story, "Renewal of web-2").number} amount=10.01`,
    "asks to",
    "10.01",
    "Somebody other than",
  );
  expect(request.ephemeralTo).toBeUndefined();
  for (const message of ben.sees()) expect(said(message)).not.toMatch(/250\.00|239\.99|Your balance/);
  await story.pressing(ben, request, goAhead, "approved by");
  await story.sees(ben, "approved by", /paid/);
  expect(writes(story)).toHaveLength(1);
  // A price that is not known counts as over every limit.
  await story.ask(ana, "/vps capture web-2 name=golden", "asks to", "Somebody other than");
  const both = '/service options change web-1 add=Monitoring remove="Daily backup"';
  await story.ask(ana, both, "asks to", "Somebody other than");
});

test("the sum of a day is counted over requests, and what would overrun it is held to the rule", async () => {
  const story = await startStory({ linked: everybody, rules: ['demand=not-allowed risk=spend day="3 EUR"'] });
  const { ana, ben } = story;
  const pay = (amount: string) => `/billing pay ${billOf(story, "Renewal of web-2").number} amount=${amount}`;
  const first = await story.ask(ana, pay("1.01"), "1.01", "Your balance");
  await story.pressing(ana, first, goAhead, "1.01", "paid");
  const second = await story.ask(ana, pay("1.99"), "1.99", "Your balance");
  await story.pressing(ana, second, goAhead, "1.99", "paid");
  await story.ask(ana, pay("0.01"), "A rule of this workspace does not allow it", "in 24 hours");
  // Each member has a sum of their own, and a day later it is counted anew.
  await story.ask(ben, pay("1.00"), "1.00", "Your balance");
  story.clock.skip(24 * 60 * 60_000);
  await story.ask(ana, pay("1.00"), "1.00", "Your balance");
  expect(writes(story)).toHaveLength(2);
});

const notAllowed = "A rule of this workspace does not allow it";

/** The sum of the day is less than the purchase and its payment would be together. */
test.each([
  ["/order new VPS S", "8 EUR", "6.05 EUR"],
  ['/service upgrade web-2 to="VPS L"', "8 EUR", "4.04 EUR"],
  ["/service option add web-1 option=Monitoring", "2 EUR", "1.21 EUR"],
  ["/service renew db-1", "40 EUR", "24.20 EUR"],
])("%s and the payment of its invoice count once in the day", async (typed, day, price) => {
  const story = await startStory({ linked: ["ana"], rules: [`demand=not-allowed risk=spend day="${day}"`] });
  const { ana } = story;
  const isOrder = typed.startsWith("/order");
  const review = isOrder ? await reviewOf(story, ana, "VPS S") : await story.ask(ana, typed, "Your balance");
  const made = await story.pressing(ana, review, goAhead, price, "Pay…");
  const payment = await story.pressing(ana, made, "Pay…", `${price} from the credit balance`);
  await story.pressing(ana, payment, goAhead, `is paid (${price})`);
  const other = billOf(story, "Colocation for a quarter").number;
  await story.ask(ana, `/billing pay ${other} amount=${day.replace(" EUR", "")}`, notAllowed);
  const left = (Number.parseFloat(day) - Number.parseFloat(price)).toFixed(2);
  await story.ask(ana, `/billing pay ${other} amount=${left}`, `${left} EUR from the credit balance`);
});

test("the renewals of several and the payment of one of their invoices count once in the day", async () => {
  const story = await startStory({ linked: ["ana"], rules: ['demand=not-allowed risk=spend day="150 EUR"'] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/service renew db-1 metal-1", "109.00 EUR");
  await story.pressing(ana, request, goAhead, "All 2 are done");
  const ids = [platform.find("metal-1").id];
  const bill = platform
    .documents()
    .find(({ cause, service_ids }) => cause === "renewal" && ids.includes(service_ids[0] ?? ""));
  await story.ask(ana, `/billing pay ${bill?.number}`, "107.69 EUR from the credit balance");
});

test("a change whose price comes only with its invoice counts with that, and once with its payment", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ['demand=one-approval risk=spend day="2 EUR"'] });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/service options change web-1 add=Monitoring", "Somebody other than");
  const made = await story.pressing(ben, request, goAhead, "The change of add-ons of `web-1` is requested", "Pay…");
  const payment = await story.pressing(ana, made, "Pay…", "from the credit balance", "Your balance");
  await story.pressing(ana, payment, goAhead, "is paid");
});

test("a change that is withdrawn counts only with what was paid of it", async () => {
  const story = await startStory({ linked: ["ana"], rules: ['demand=not-allowed risk=spend day="5 EUR"'] });
  const { ana, platform } = story;
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "Your balance");
  await story.pressing(ana, request, goAhead, "waits to be paid");
  const bill = platform.documents().find(({ cause }) => cause === "upgrade");
  const part = await story.ask(ana, `/billing pay ${bill?.number} amount=1.00`, "Your balance");
  await story.pressing(ana, part, goAhead, "1.00 EUR paid on");
  const other = (amount: string) => `/billing pay ${billOf(story, "Colocation for a quarter").number} amount=${amount}`;
  await story.ask(ana, other("3.00"), notAllowed);
  const withdrawal = await story.ask(ana, "/service upgrade cancel web-2", "is paid already");
  await story.pressing(ana, withdrawal, goAhead, "is withdrawn");
  await story.comesToSee(ana, "was withdrawn");
  await story.ask(ana, other("4.01"), notAllowed);
  await story.ask(ana, other("4.00"), "4.00 EUR from the credit balance");
});

test("an act that a rule forbids is refused with the rule, on the command and on an earlier request", async () => {
  const story = await startStory({ linked: everybody });
  const { ana, ben } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/rackbell policy add demand=not-allowed command=vps outside=#general", "In effect now");
  await story.sees(ben, "The rules of this workspace changed", "is not allowed");
  await story.pressing(ben, request, goAhead, "The rules of this workspace changed");
  await story.ask(ben, "/vps cancel web-1", "A rule of this workspace does not allow it", "outside <#");
  await story.ask(ben, "/vps reboot web-2", "A rule of this workspace does not allow it");
  expect(writes(story)).toEqual([]);
});

test("the channels of a rule are chosen from Slack's own list, as many as are meant", async () => {
  const story = await startStory({ linked: everybody });
  const { ana, ben, slack } = story;
  await ana.type("/rackbell policy add");
  await story.modal(ana, "More conditions");
  await ana.fill({ Needs: "It is not allowed", "For what": "Everything", "For which commands": "vps" });
  await ana.fill({ "By whom": ["Everybody"] });
  const form = ana.modal();
  if (form) await ana.press(form, "More conditions");
  await story.modal(ana, "Only outside of these channels");
  await ana.fill({ "Only outside of these channels": ["general", "random"] });
  await ana.submit();
  const { general, random } = slack.channels;
  await story.sees(ana, "In effect now", `<#${general?.id}>`, `<#${random?.id}>`);
  await story.ask(ben, "/vps reboot web-2", "A rule of this workspace does not allow it", "outside <#");
  expect(writes(story)).toEqual([]);
});

test("a pending request follows a stricter rule: one approval is no longer enough", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Somebody other than");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  await story.sees(ben, "asks to", "Two others than");
  await story.ask(ana, "/rackbell audit web-1", "*tightened*", "It needs 2 approvals now.", "The rule:");
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(caro, request, goAhead, "approved by");
});

test("the words that rules had before still make the same rules", async () => {
  const { ana, ask } = await startStory({ linked: everybody });
  const meanings = {
    self: "needs the requester's confirmation",
    peer: "needs one approval",
    peers: "needs two approvals",
    never: "is not allowed",
  };
  for (const [word, meaning] of Object.entries(meanings))
    await ask(ana, `/rackbell policy add demand=${word} risk=destroy`, "Added", meaning);
  await ask(
    ana,
    "/rackbell policy add demand=some",
    "one of allowed, confirm, one-approval, two-approvals, not-allowed",
  );
});

test("a try says what would hold and by which rule, and changes nothing", async () => {
  const story = await startStory({ linked: everybody, rules: ['demand=two-approvals command="vps cancel"'] });
  const { ana } = story;
  await story.ask(
    ana,
    "/rackbell policy try vps cancel web-1 immediate=yes",
    "needs two approvals",
    "The rule:",
    "Nothing was done",
  );
  await story.ask(ana, "/rackbell policy try /vps reboot web-1", "runs at once, after it asked its requester");
  await story.ask(ana, "/rackbell policy try /vps password web-1", "runs at once, after it asked its requester");
  await story.ask(ana, "/rackbell policy try /vps start worker-2", "runs at once. No rule matches");
  await story.ask(ana, "/rackbell policy try vps reinstall web-1", "needs the requester's confirmation");
  await story.ask(ana, "/rackbell policy try vps vanish web-1", "I don't know");
  await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
  expect(writes(story)).toEqual([]);
});

test("an admin uses the emergency override where a rule lets them, with a reason, and another admin must review it", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=one-approval risk=destroy glass=yes"] });
  const { ana, ben, caro, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "*Override*");
  // A member who cannot have it is not offered it. By an older button they read why, and fill in no form for nothing.
  await ben.press(request, { actionId: "request:details" });
  await story.modal(ben, "Approve…");
  expect(JSON.stringify(ben.modal())).not.toContain("Override…");
  const details = await withControl(ana, request, "Override…", slack.until);
  const older = { ...request, blocks: details.blocks };
  await story.pressing(ben, older, "Override…", "Only an admin of this workspace can run this without");
  await pressInDetails(story, ana, request, "Override…", "No other admin has linked a key");
  expect(JSON.stringify(slack.state().modals)).not.toContain("Run without approval");
  expect(writes(story)).toEqual([]);
  slack.setRole("caro", "admin");
  await pressInDetails(story, ana, request, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "It floods the network" });
  await ana.submit();
  const loud = await story.sees(
    ben,
    "Emergency override",
    "It floods the network",
    "Another admin must review the override",
  );
  await story.sees(ben, `run without approval by <@${ana.user.id}>`);
  expect(writes(story)).toHaveLength(1);
  await story.ask(caro, "/rackbell approvals", "another admin must review it");
  await story.pressing(ana, loud, "I have reviewed it", "An admin other than");
  await story.pressing(caro, loud, "I have reviewed it", `<@${caro.user.id}> reviewed the override`);
  await story.ask(caro, "/rackbell approvals", "There are no open requests that you can see");
  await story.ask(ana, "/rackbell audit web-1", "overridden", "reviewed");
});

/** Ana overrides the rule for web-1, and the platform refuses the cancellation. Resolves with the announcement. */
async function refusedOverride(story: Story): Promise<Message> {
  const { ana, ben, platform, slack } = story;
  slack.setRole("caro", "admin");
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is being built" } };
  platform.faults.next({ how: busy, method: "DELETE", path: `/vps/${platform.findVps("web-1").id}` });
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "*Override*");
  await pressInDetails(story, ana, request, "Override…", "Run without approval");
  await ana.fill({ "Why?": "It floods the network" });
  await ana.submit();
  return story.sees(ben, "Emergency override", "was tried without approval", "Nothing changed", "must review");
}

test("an override that the platform refused approves nothing afterwards: its request waits for approvals, and is void when it has too few", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=one-approval risk=destroy glass=yes"] });
  const { ana, ben, caro, clock } = story;
  await refusedOverride(story);
  const request = await story.sees(ben, "asks to", "web-1");
  expect(said(request)).not.toContain("run without approval");
  // Nobody had approved it.
  const again = said(await story.sees(ben, "awaits a decision again", "being built"));
  expect(again).not.toContain("Earlier approvals");
  const list = await story.ask(
    caro,
    "/rackbell approvals",
    "tried without approval by",
    "another admin must review it",
  );
  for (const label of ["Approve", "I have reviewed it"]) expect(JSON.stringify(list.blocks)).toContain(label);
  await pressInDetails(story, ana, request, { actionId: "request:move" }, "When?");
  await ana.fill({ "When?": Math.floor((clock.now() + 2 * 60 * 60_000) / 1000) });
  await ana.submit();
  const moved = await story.sees(ben, "asks to", "*When*");
  await story.pressing(ben, moved, goAhead, "It is scheduled for");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy glass=yes", "In effect now");
  await story.sees(ben, "It needs more approvals now");
  clock.skip(3 * 60 * 60_000);
  await story.ask(ana, "/rackbell scheduled", "There are no scheduled acts");
  expect(writes(story)).toHaveLength(1);
});

test("an override that the platform refused is reviewed also after others approved the request, and so is a second one", async () => {
  const story = await startStory({ linked: everybody, rules: ["demand=one-approval risk=destroy glass=yes"] });
  const { ana, ben, caro } = story;
  const loud = await refusedOverride(story);
  const request = await story.sees(ben, "asks to", "web-1");
  await pressInDetails(story, caro, request, "Override…", "Run without approval");
  await caro.fill({ "Why?": "It still does" });
  await caro.submit();
  const second = await story.sees(ben, "Emergency override", "was run without approval", "It still does");
  await story.pressing(caro, loud, "I have reviewed it", `<@${caro.user.id}> reviewed the override`);
  await story.ask(ana, "/rackbell approvals", `run without approval by <@${caro.user.id}>`);
  await story.pressing(caro, second, "I have reviewed it", "you ran it yourself");
  await story.pressing(ana, second, "I have reviewed it", `<@${ana.user.id}> reviewed the override`);
  await story.ask(caro, "/rackbell approvals", "There are no open requests that you can see");
  const log = said(await story.ask(ana, "/rackbell audit web-1", "reviewed"));
  expect(log.match(/Reviewed by/g)).toHaveLength(2);
});

test("an override serves where two others must approve, and a second rule without it takes the offer back", async () => {
  const story = await startStory({ linked: everybody, rules: ['demand=two-approvals command="vps cancel" glass=yes'] });
  const { ana, ben, slack } = story;
  slack.setRole("caro", "admin");
  const [first, second] = [
    await story.ask(ana, "/vps cancel web-1", "asks to", "*Override*"),
    await story.ask(ana, "/vps cancel web-2", "asks to", "*Override*"),
  ];
  await pressInDetails(story, ana, first, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "It floods <!channel> and <https://example.test|the network>" });
  await ana.submit();
  await story.sees(ben, ":white_check_mark:", `run without approval by <@${ana.user.id}>`);
  expect(writes(story)).toHaveLength(1);
  // Typed text is no markup, wherever it is shown.
  await story.ask(ana, "/rackbell audit web-1", "Run without approval: It floods &lt;!channel&gt; and &lt;https");
  // The form is open already when the other rule comes.
  const details = await withControl(ana, second, "Override…", slack.until);
  await ana.press(details, "Override…");
  await story.modal(ana, "Run without approval");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  await ana.fill({ "Why?": "It floods the network" });
  await ana.submit();
  await story.modal(ana, "No rule of this workspace lets an admin run this without approval");
  const request = await story.ask(ben, "/vps cancel mail", "asks to", "Two others than");
  expect(said(request)).not.toContain("*Override*");
  expect(said(await story.sees(ben, "asks to", "web-2"))).not.toContain("*Override*");
  // A client may still show the details with the button: no form is filled in for nothing.
  await ana.closeModal({ all: true });
  await ana.press(details, "Override…");
  await story.sees(ana, "No rule of this workspace lets an admin run this without approval");
  expect(Object.values(slack.state().modals).flat()).toEqual([]);
  expect(writes(story)).toHaveLength(1);
});

test.each([
  ["that allows no override", "demand=two-approvals risk=destroy", "It needs more approvals now"],
  ["that asks for a passkey", "demand=confirm risk=destroy passkey=yes", "It was not decided with a passkey"],
])("an override of a bulk request ends before its next machine by a rule %s", async (_, rule, why) => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    environment: { PASSKEYS: "on" },
    rules: ['demand=two-approvals command="vps cancel" glass=yes'],
  });
  const { ana, ben, clock, platform, slack } = story;
  slack.setRole("caro", "admin");
  platform.faults.next({ how: cooling, method: "DELETE", path: `/vps/${platform.findVps("db-1").id}` });
  const request = await story.ask(ben, "/vps cancel web-2 db-1", "asks to", "*Override*");
  await pressInDetails(story, ana, request, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "They flood the network" });
  await ana.submit();
  await story.comesToSee(ben, "1 of 2 done", "the platform asked to wait");
  await story.ask(ana, `/rackbell policy add ${rule}`, "In effect now");
  clock.skip(900_000);
  await story.comesToSee(ben, "1 of 2 was done", why, "The rule:");
  expect(platform.findVps("db-1").cancellation).toBeNull();
});

/** The words of a rule that allows an emergency override. */
const emergency = "in an emergency";

test("of two equally strict rules the younger one counts too: an override is offered only where both allow it", async () => {
  const story = await startStory({ linked: everybody });
  const { ana } = story;
  // It needs an approval that can be left out.
  for (const demand of ["not-allowed", "confirm", "allowed"])
    await story.ask(
      ana,
      `/rackbell policy add demand=${demand} command=vps glass=yes`,
      "An emergency override replaces an approval",
    );
  await story.ask(ana, "/rackbell policy", "There are no rules yet");
  await story.ask(ana, "/rackbell policy add demand=one-approval command=vps glass=yes", "In effect now");
  await story.ask(ana, "/rackbell policy try vps cancel web-2", "The rule:", emergency);
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=destroy", "In effect now");
  expect(said(await story.ask(ana, "/vps cancel web-1", "asks to", "The rule:"))).not.toContain("*Override*");
  expect(said(await story.ask(ana, "/rackbell policy try vps cancel web-2", "The rule:"))).not.toContain(emergency);
});

test("an override is checked again when it is used: a rule that fits by then and does not allow it refuses it", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ['demand=one-approval risk=spend over="1 EUR" glass=yes', 'demand=one-approval risk=spend day="3 EUR"'],
  });
  const { ana, slack } = story;
  slack.setRole("caro", "admin");
  const pay = (bill: string, amount: string) => `/billing pay ${billOf(story, bill).number} amount=${amount}`;
  const request = await story.ask(ana, pay("Consulting", "2.00"), "asks to", "*Override*");
  for (const amount of ["0.90", "0.95"]) {
    const own = await story.ask(ana, pay("Renewal of web-2", amount), amount, "Your balance");
    await story.pressing(ana, own, goAhead, amount, "paid");
  }
  await pressInDetails(story, ana, request, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "It is due today" });
  await ana.submit();
  await story.modal(ana, "No rule of this workspace lets an admin run this without approval");
  expect(writes(story)).toHaveLength(2);
});

test("a day's sum is a person's: another Slack account of theirs adds to it, whatever was unlinked meanwhile", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ['demand=not-allowed risk=spend day="3 EUR"'] });
  const { ben, caro, dave, platform } = story;
  const pay = (amount: string) => `/billing pay ${billOf(story, "Renewal of web-2").number} amount=${amount}`;
  const second = platform.addKey({ owner: "ben", label: "ben again" });
  story.secrets.add(second.key);
  await story.link(caro, second.key);
  const first = await story.ask(ben, pay("1.60"), "1.60", "Your balance");
  await story.pressing(ben, first, goAhead, "1.60", "paid");
  await story.ask(caro, pay("1.50"), "A rule of this workspace does not allow it", "in 24 hours");
  const small = await story.ask(caro, pay("1.40"), "1.40", "Your balance");
  await story.pressing(caro, small, goAhead, "1.40", "paid");
  await story.ask(ben, pay("0.01"), "A rule of this workspace does not allow it");
  await story.ask(ben, "/rackbell unlink force=yes", "erased here");
  await story.link(dave, platform.keys.ben.key);
  await story.ask(dave, pay("0.01"), "A rule of this workspace does not allow it");
  expect(writes(story)).toHaveLength(2);
});

test("a taken-over request counts in the day of the one who wanted it, too", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ['demand=not-allowed risk=spend day="3 EUR"'] });
  const { ana, ben, platform } = story;
  const pay = (amount: string) => `/billing pay ${billOf(story, "Renewal of web-2").number} amount=${amount}`;
  const first = await story.ask(ben, pay("2.60"), "2.60", "Your balance");
  await story.pressing(ben, first, goAhead, "2.60", "paid");
  platform.setScopes(platform.keys.ben, ["read"]);
  await story.ask(ben, "/rackbell whoami", "ben");
  const refused = await story.ask(ben, pay("0.50"), "Ask someone who can");
  await story.pressing(ben, refused, "Ask someone who can…", "The member who takes it uses their own key");
  const offer = await story.sees(ana, "asks somebody to");
  await story.ask(ben, "/rackbell unlink force=yes", "erased here");
  await story.pressing(ana, offer, "Take it…", "A rule of this workspace does not allow it", "in 24 hours");
  await story.ask(ana, pay("0.50"), "0.50", "Your balance");
});

test("a second Slack account of the admin who broke the glass neither stands for another admin nor reviews it", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ["demand=one-approval risk=destroy glass=yes"] });
  const { ana, ben, caro, dave, slack, platform } = story;
  const second = platform.addKey({ owner: "ana", label: "ana again" });
  story.secrets.add(second.key);
  await story.link(dave, second.key);
  slack.setRole("dave", "admin");
  const request = await story.ask(ben, "/vps cancel web-1", "asks to", "*Override*");
  await pressInDetails(story, ana, request, "Override…", "No other admin has linked a key");
  await story.link(caro);
  slack.setRole("caro", "admin");
  await pressInDetails(story, ana, request, "Override…");
  await story.modal(ana, "Run without approval");
  await ana.fill({ "Why?": "It floods the network" });
  await ana.submit();
  const loud = await story.sees(ben, "Emergency override", "Another admin must review the override");
  await story.pressing(dave, loud, "I have reviewed it", `An admin other than <@${ana.user.id}>`);
  await story.pressing(caro, loud, "I have reviewed it", `<@${caro.user.id}> reviewed the override`);
});
