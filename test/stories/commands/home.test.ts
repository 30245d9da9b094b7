import { expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { goAhead, peer, said, startStory, writes } from "../story.ts";

function textOf(view: unknown): string {
  return JSON.stringify(view ?? "");
}

/** The action ids of all that can be pressed. */
function buttonsOf(view: unknown): string[] {
  return [...textOf(view).matchAll(/"type":"button".*?"action_id":"(.+?)"/g)].map(([, id]) => id ?? "");
}

/** A modal that waits for its content; a mark in a row is followed by a name. */
function isWaiting(view: unknown): boolean {
  return /:hourglass_flowing_sand: [A-Z]/.test(textOf(view));
}

/** Everything has been read, and Home drawn again with it. */
function isWhole(view: unknown): boolean {
  return textOf(view).includes("As of ") && !textOf(view).includes("Not read yet");
}

test("Home offers a member without a key to link one, and says when the key is linked", async () => {
  const story = await startStory();
  const { ana, slack, platform } = story;
  await ana.openHome();
  await slack.until(() => textOf(ana.home()).includes("not linked a key"), "Home to be shown");
  await ana.press("home", "Link a key");
  await story.modal(ana, "API key");
  await ana.fill({ "API key": platform.keys.ana.key });
  await ana.submit();
  await slack.until(() => textOf(ana.home()).includes("is linked"), "Home to say that the key is linked");
});

test("the answer to a press on Home opens over Home, and a press in the answer goes on there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const direct = () => ana.sees("dm").map(said);
  await ana.openHome();
  await slack.until(() => isWhole(ana.home()), "Home to be shown whole");
  await ana.choose("home", "List…", "/vps list");
  await story.modal(ana, "VPSes", "web-1");
  await ana.choose("modal", "Open a VPS…", "web-1");
  await story.modal(ana, "Reboot", "is running");
  await ana.press("modal", "Reboot");
  await story.modal(ana, "Rebooting");
  expect(direct().some((text) => text.includes("VPSes"))).toBe(false);
  await ana.closeModal({ all: true });
  await ana.press("home", "Approvals");
  await story.modal(ana, "There are no open requests that you can see");
});

test("a cancellation over Home is requested and approved there, even with three modals open", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.openHome();
  await slack.until(() => isWhole(ana.home()), "Home to be shown whole");
  await ana.choose("home", "List…", "/vps list");
  await story.modal(ana, "VPSes");
  await ana.choose("modal", "Open a VPS…", "web-2");
  await story.modal(ana, "is running");
  await ana.press("modal", "Cancel service…");
  await story.modal(ana, "asks to", goAhead);
  await ana.closeModal();
  await ana.press("modal", "New password");
  await story.modal(ana, "New root password");
  await ana.submit();
  await story.modal(ana, goAhead);
  await ana.press("modal", goAhead);
  await story.modal(ana, ":white_check_mark:");
  await ana.press("modal", "Show");
  await story.modal(ana, "is running");
  expect(ana.modals()).toHaveLength(3);
  await ana.press("modal", "Cancel service…");
  await story.modal(ana, goAhead);
  await ana.press("modal", goAhead);
  await story.modal(ana, ":white_check_mark:");
  expect(writes(story)).toHaveLength(2);
});

test("Home has a way in to each noun, and every button of Home has an answer there, and nothing of it in another tab", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const before = ana.sees("dm").length;
  await ana.openHome();
  await slack.until(() => textOf(ana.home()).includes("Pay…"), "Home to be shown whole");
  const ids = buttonsOf(ana.home()).filter((id) => id.startsWith("invoke:"));
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) {
    await ana.press("home", id);
    await slack.until(() => ana.modal() && !isWaiting(ana.modal()), `${id} to be answered`);
    await ana.closeModal({ all: true });
  }
  const ways = await ana.suggest("home", "List…", "");
  const nouns = operations.filter(({ api }) => api !== "app").map(({ command }) => `/${command.split(" ")[0]}`);
  expect(new Set(ways.map(({ text }) => text.split(" ")[0]))).toEqual(new Set(nouns));
  for (const { text } of ways) {
    await ana.choose("home", "List…", text);
    await slack.until(() => ana.modal() && !isWaiting(ana.modal()), `${text} to be answered`);
    await ana.closeModal({ all: true });
  }
  expect(ana.sees("dm")).toHaveLength(before);
  // Rackbell finds a reseller key's scopes by writes that cannot run.
  expect(writes(story).filter(({ status }) => status !== 401)).toEqual([]);
});

test("an answer that Slack does not open over Home is shown at the top of Home", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.openHome();
  await slack.until(() => isWhole(ana.home()), "Home to be shown whole");
  slack.faults.fail("views.open", "expired_trigger_id");
  await ana.choose("home", "List…", "/project list");
  await slack.until(() => textOf(ana.home()).includes("4 projects"), "Home to show the answer");
});

test("a long answer at the top of Home keeps its buttons, and says how much of it did not fit there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.openHome();
  await slack.until(() => isWhole(ana.home()), "Home to be shown whole");
  const id = buttonsOf(ana.home()).find((one) => one.startsWith("invoke:rackbell attention"));
  slack.faults.fail("views.open", "expired_trigger_id");
  await ana.press("home", id ?? "");
  await slack.until(() => textOf(ana.home()).includes("more parts of this answer"), "Home to count what did not fit");
  const types = (ana.home()?.blocks ?? []).map(({ type }) => type);
  expect(types.slice(0, types.indexOf("divider"))).toHaveLength(9);
  expect(types[types.indexOf("divider") - 1]).toBe("actions");
});

test("an approver approves a request on Home, and Home then shows its result in place of the request", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  await story.ask(ana, "/vps cancel web-2", "asks to");
  await ben.openHome();
  await slack.until(() => textOf(ben.home()).includes("Approve…"), "Home to have the request's buttons");
  await ben.press("home", goAhead);
  // A drawing that the opening began may come between: it shows neither the request nor its result.
  await slack.until(
    () => !textOf(ben.home()).includes("*Approvals*") && textOf(ben.home()).includes("Cancel `web-2`: "),
    "Home to show the result in place of the request",
  );
  await story.sees(ana, "approved by", ":white_check_mark:");
  expect(writes(story)).toHaveLength(1);
});

test("an invoice is paid from Home: the payment request opens over Home with the amount, and says when it is paid", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await ana.openHome();
  await slack.until(() => textOf(ana.home()).includes("Pay…"), "Home to offer to pay");
  await ana.press("home", "Pay…");
  await story.modal(ana, goAhead, "EUR from the credit balance");
  await slack.until(() => textOf(ana.home()).includes(goAhead), "Home to show that it waits");
  await ana.press("modal", goAhead);
  await story.modal(ana, ":white_check_mark:", "paid");
  await slack.until(() => !textOf(ana.home()).includes("*Approvals*"), "Home to be shown anew");
  await story.seesIn("dm", ana, "paid");
});

test("a member whose key may not pay sees the amount left to pay on Home without a button to pay", async () => {
  const story = await startStory();
  const { ben, slack, platform } = story;
  const { key } = platform.addKey({ owner: "ben", label: "reader", scopes: ["read"] });
  story.secrets.add(key);
  await story.link(ben, key);
  await ben.openHome();
  await slack.until(() => textOf(ben.home()).includes("left to pay"), "Home to be shown whole");
  expect(textOf(ben.home())).not.toContain("Pay…");
});

test("the status shows the hourly calls left, how requests are decided, and each route that is gone with the command that needs it", async () => {
  const story = await startStory({ linked: ["ana"], environment: { APPROVALS: "peer", APPROVAL_TTL: "45m" } });
  const { ana, platform, app } = story;
  const { dropped } = platform.settings;
  const whole = said(await story.ask(ana, "/rackbell status", "Status"));
  for (const words of ["offers everything", "needs one approval", "45 min"]) expect(whole).toContain(words);
  expect(whole).toMatch(/[\d,]+ of 1,000 calls left/);
  dropped.push("POST /vps/{id}/capture");
  const status = said(await story.ask(ana, "/rackbell status", "no longer offers"));
  expect(status).toContain("/vps capture");
  expect(status).toContain("POST /vps/{id}/capture");
  expect(status).not.toContain("/vps reboot");
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  expect(metrics).toContain("rackbell_operations_without_route 1");
  dropped.splice(0, 1, "POST /reseller/services/{serviceId}/suspend");
  const reselling = said(await story.ask(ana, "/rackbell status", "no longer offers", "/reseller service suspend"));
  expect(reselling).not.toContain("/service list");
  // A platform without a reseller API is fine.
  dropped.length = 0;
  const how = { status: 404, body: { success: false, error: "Not found" } };
  platform.faults.next({ how, path: "/reseller/openapi.json", times: 3 });
  await story.ask(ana, "/rackbell status", "offers everything");
});

test("a platform whose clock is off is a line of the status and of /readyz, until it fits again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, app } = story;
  const ready = async () => (await fetch(`${app.url}/readyz`)).text();
  for (const [off, words] of [
    [90_000, /clock is (89|9\d) s behind the platform's/],
    [-90_000, /clock is (89|9\d) s ahead of the platform's/],
  ] as const) {
    platform.settings.clockAhead = off;
    // The first answer brings its time.
    await story.ask(ana, "/rackbell status", "Status");
    await story.ask(ana, "/rackbell status", words);
    expect(await ready()).toMatch(words);
    platform.settings.clockAhead = 0;
    await story.ask(ana, "/vps list", "web-1");
    expect(said(await story.ask(ana, "/rackbell status", "Status"))).not.toContain("This machine's clock");
    expect(await ready()).not.toContain("clock");
  }
});
