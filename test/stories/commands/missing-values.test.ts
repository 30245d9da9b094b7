import { expect, test } from "vitest";
import { isActInput } from "../../../src/operation/act-input.ts";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { registry } from "../../../src/operations/index.ts";
import { needsForm } from "../../../src/slack/dispatch.ts";
import { partsOf } from "../../examples.ts";
import { resellerWrites, startResellerStory } from "../reseller/selling.ts";
import { type Actor, goAhead, type Message, type Story, said } from "../story.ts";

// An omitted value never means "none": an ellipsis asks, and a form begins with what is there.

const all = registry.all;

test("every operation whose given values are not enough opens its form, with a reason or without", () => {
  for (const operation of all) {
    const about = { command: operation.command, ...(operation.target ? { target: "it" } : {}) };
    const enough = !("error" in operation.accept({}));
    const reason = operation.api !== "app" && "reason" in operation.input.shape ? { reason: "asked for" } : {};
    for (const input of [{}, reason])
      expect([operation.command, enough || needsForm(operation, { ...about, input })]).toEqual([
        operation.command,
        true,
      ]);
  }
});

const bare = all.filter(
  ({ api, risk, input, leading }) =>
    api !== "app" && risk !== "read" && !leading && !fieldsOf(input).some(({ required }) => required),
);

test("typed with nothing but its target, no operation answers with an error about a value that was left out", async () => {
  const story = await startResellerStory({ linked: ["ana"], environment: { PUBLIC_URL: "https://ops.example.test" } });
  const { ana, slack } = story;
  const withActInput = bare.filter(({ input }) =>
    fieldsOf(input).some(({ name }) => isActInput({ api: "customer" }, name)),
  );
  expect(withActInput.length).toBeGreaterThan(12);
  for (const { command } of withActInput) {
    const before = ana.sees().length;
    await ana.type(`/${command} ${partsOf(command).target}`);
    const answer = await slack.until(
      () => (ana.modal() ? "a form" : ana.sees().slice(before).map(said).at(-1)),
      `an answer to ${command}`,
    );
    expect(`${command}: ${answer}`).not.toMatch(/needed|at least one|Correct it/);
    if (ana.modal()) await ana.closeModal({ all: true });
  }
});

const options = "/reseller service options";

/** Opens the form that a button of a message leads to. */
async function openedBy(story: Story, actor: Actor, message: Message, label: string, ...texts: string[]) {
  await actor.press(message, label);
  await story.modal(actor, ...texts, '"submit":{');
}

test("Change the set… opens a form with the add-ons that are there, and one that is added takes none of them away", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const first = `${options} set ACME-002 options="2 x Extra IPv4 address, Daily backup"`;
  await story.pressing(ana, await story.ask(ana, first, "will change"), goAhead, "are set");
  const shown = await story.ask(ana, `${options} ACME-002`, "Change the set…");
  await openedBy(story, ana, shown, "Change the set…", "Add-ons", "2 × Extra IPv4 address", "Daily backup");
  const [filled = ""] = /(?<="initial_options":)\[.*?\](?=,"|\})/.exec(JSON.stringify(ana.modal())) ?? [];
  const held = [...filled.matchAll(/"text":\{[^}]*"text":"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
  expect(held.toSorted()).toEqual(["2 × Extra IPv4 address", "Daily backup"]);
  await ana.fill({ "Add-ons": [...held, "Monitoring"] });
  const before = ana.sees().length;
  await ana.submit();
  const request = await story.slack.until(
    () =>
      ana
        .sees()
        .slice(before)
        .find((one) => said(one).includes("will change")),
    "the request",
  );
  expect(said(request)).toContain("1 × `Monitoring`");
  expect(said(request)).not.toContain("Removed add-ons end");
  await story.pressing(ana, request, goAhead, "are set");
  expect(platform.reseller.orders()).toHaveLength(2);
});

test("a set without values opens the form, commas alone are no value, and only the word none removes all", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const one = `${options} set ACME-002 options="Daily backup"`;
  await story.pressing(ana, await story.ask(ana, one, "will change"), goAhead, "are set");
  const writes = resellerWrites(story).length;
  for (const words of ["", ' options=","', ' reason="tidy up"']) {
    await ana.type(`${options} set ACME-002${words}`);
    await story.modal(ana, "Daily backup", '"submit":{');
    await ana.closeModal();
  }
  expect(resellerWrites(story)).toHaveLength(writes);
  const none = await story.ask(ana, `${options} set ACME-002 options=none`, "asks to", "1 × `Daily backup`");
  await story.pressing(ana, none, goAhead, "The removed add-ons are gone");
});

test("a customer's form begins with the record, and sends what was changed in it alone, or nothing if that is nothing", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const card = await story.ask(ana, "/reseller customer show acme-bakery", "Change…");
  await openedBy(story, ana, card, "Change…", "it@acme-bakery.example.test", "Acme Bakery");
  expect(await ana.submit()).toMatchObject({ errors: { name: expect.stringContaining("at least one field") } });
  expect(resellerWrites(story)).toEqual([]);
  await ana.fill({ "New name": "Acme Bakery & Sons" });
  await ana.submit();
  await story.sees(ana, "is now called");
  const [sent] = platform.calls().filter(({ method }) => method === "PUT");
  expect(sent?.body).toEqual({ externalCustomerName: "Acme Bakery & Sons" });
});

test("an ellipsis whose operation needs no value opens its form, where nothing else would be asked", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const casts = await story.ask(ana, "/reseller service console-casts ACME-001", "Make one…");
  await openedBy(story, ana, casts, "Make one…", "Time limit to open the link");
  await ana.closeModal();
  await ana.type("/reseller service rdns BOR-002 address=192.0.2.42");
  await story.modal(ana, "Reverse name", "none clears the reverse name", '"submit":{');
  await ana.closeModal();
  expect(resellerWrites(story)).toEqual([]);
  const settings = await story.ask(ana, "/rackbell settings", "Change…");
  await openedBy(
    story,
    ana,
    settings,
    "Change…",
    '"initial_value":"3"',
    '"initial_value":"7"',
    '"initial_value":"none"',
  );
});

test("a transit's form begins with what is announced, so that one new value leaves the others as they are", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const sent = () => platform.calls().findLast(({ method }) => method === "PUT")?.body;
  await ana.type("/reseller service transit transit-1.example.test");
  await story.modal(
    ana,
    '"initial_value":"64500"',
    '"initial_value":"192.0.2.0/24"',
    '"initial_value":"full"',
    '"submit":{',
  );
  await ana.fill({ "AS number": "64501" });
  const before = ana.sees().length;
  await ana.submit();
  const question = await story.slack.until(() => ana.sees().slice(before).at(-1), "the question");
  expect(said(question)).toContain("192.0.2.0/24");
  await story.pressing(ana, question, "invoke:confirmed", "64501");
  expect(sent()).toMatchObject({ customerAsn: 64_501, announcedPrefixes: ["192.0.2.0/24"], routeType: "full" });
  // Commas alone announce nothing else and withdraw nothing.
  await story.ask(ana, '/reseller service transit transit-1.example.test asn=64502 prefixes="," force=yes', "64502");
  expect(sent()).toEqual({ customerAsn: 64_502 });
});
