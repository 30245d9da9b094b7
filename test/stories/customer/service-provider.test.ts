import { expect, test } from "vitest";
import { readParams, readTexts } from "../../../src/operations/kits/provider-action.ts";
import { goAhead, type Message, said, startStory } from "../story.ts";

test("a reading of the provider's is answered at once, to the requester alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  await story.ask(ana, "/service run plugin-1 action=status", "`plugin-1`: status", "running");
  expect(ben.sees()).toEqual([]);
});

test("a provider's own action asks first, runs once with its parameters, and its answer reaches the requester alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const command = "/service run mailboxes action=add-mailbox params='name=info quota=2 GB'";
  const request = await story.ask(ana, command, "asks to", "Rackbell does not know its effect");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  await ana.press(request, goAhead);
  await story.sees(ana, "`add-mailbox` was run on `mailboxes`");
  const sent = platform.calls().filter(({ method }) => method === "POST");
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toEqual({ params: { name: "info", quota: "2 GB" } });
  const offer = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, "accepted");
});

test("the answer to an action says that it is not allowed, that it is not known, or that its outcome is unknown", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const hidden = await story.ask(
    ana,
    "/service run plugin-1 action=wipe-host",
    "asks to",
    "Listed by the provider*\nno",
  );
  await ana.press(hidden, goAhead);
  await story.sees(ana, "does not let customers use `wipe-host`", "Nothing changed");

  const unknown = await story.ask(ana, "/service run plugin-1 action=make-coffee", "asks to", "make-coffee");
  await ana.press(unknown, goAhead);
  await story.sees(ana, "has no action `make-coffee`", "Nothing changed");

  platform.plugin("acme-cloud").failing.push("rebuild-network");
  const failing = await story.ask(ana, "/service run plugin-1 action=rebuild-network", "asks to", "rebuild-network");
  await ana.press(failing, goAhead);
  await story.sees(ana, "The outcome is unknown", "Do not ask again until");
  expect(platform.calls().filter(({ path }) => path.endsWith("/rebuild-network"))).toHaveLength(1);
});

test("a provider that cannot be reached reads as unknown, and its refusals of a start are no riddle", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.plugin("acme-cloud").reachable = false;
  await story.ask(ana, "/service run plugin-1 action=status", "`plugin-1`: status", "unknown");
  await story.ask(ana, "/service run plugin-1 action=start", "The outcome is unknown");
  await story.ask(ana, "/service backups plugin-1", "also empty while its provider cannot be reached");
});

test("parameters that are neither pairs nor an object are refused before anything is sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.clearCalls();
  await story.ask(ana, "/service run plugin-1 action=rebuild-network params=nonsense", "write name=value pairs");
  for (const params of ["{“id”: 12345678901234567890}", '{"id": [9007199254740993]}'])
    await story.ask(ana, `/service run plugin-1 action=rebuild-network params='${params}'`, "cannot be sent exactly");
  expect(platform.calls()).toEqual([]);
});

test.each([
  ["a=1 b=two words", { a: 1, b: "two words" }],
  ["a=1\nb=x=y", { a: 1, b: "x=y" }],
  ["a=-2.5 b=true c=false d=null", { a: -2.5, b: true, c: false, d: "null" }],
  ["a=007 b=1.20 c=12345678901234567890 d=1e5", { a: "007", b: "1.20", c: "12345678901234567890", d: "1e5" }],
  ['a="Hi there" b="7" c="true"', { a: "Hi there", b: "7", c: "true" }],
  ["a=“Hi there” b=„x” c=‘y’ d=`z`", { a: "Hi there", b: "x", c: "y", d: "z" }],
  [String.raw`a="b=1 \"c\" \\" d=2`, { a: 'b=1 "c" \\', d: 2 }],
  ['a="x" said b=it\'s c="', { a: '"x" said', b: "it's", c: '"' }],
  ["{“a”: “b”}", { a: "b" }],
  ['{"a":{"b":[1]}}', { a: { b: [1] } }],
  ["__proto__=x", JSON.parse('{"__proto__":"x"}')],
  ["a", null],
  ["a=1 a=2", null],
  ["{broken", null],
  ["", null],
])("%j is read as parameters", (text, expected) => {
  expect(readParams(text)).toEqual(expected);
  const texts =
    expected && Object.entries(expected).map(([name, value]) => [name, text.startsWith("{") ? value : String(value)]);
  expect(readTexts(text)).toEqual(texts && Object.fromEntries(texts));
});

test("backups are listed as the provider gives them, made, and put back after asking", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/service backup plugin-1", "A backup of `plugin-1` was started");
  const list = await story.ask(ana, "/service backups plugin-1", "has 3 backups", "daily-1");
  await ana.press(list, { label: "Restore…", index: 1 });
  const request = await story.sees(
    ana,
    "asks to",
    "This will overwrite the present data of",
    "with the backup `daily-1`",
  );
  await ana.press(request, goAhead);
  await story.sees(ana, "is being restored from the backup");
  expect(platform.calls().filter(({ path }) => path.endsWith("/restore"))).toHaveLength(1);
});

test("a native VPS has no provider's backups, and says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/service backups web-1", "offers no backups");
  await story.ask(story.ana, "/service backup web-1", "has no action `backups.create`");
});

test("a restore whose outcome stays unknown says that it is not known, and is not run again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/service restore plugin-1 backup=daily-2", "asks to");
  platform.faults.next({ how: "500", method: "POST", path: /restore$/, applied: true });
  await ana.press(request, goAhead);
  await story.sees(ana, "Do not ask again until");
  const isEnd = (message: Message) => said(message).includes("outcome stays unknown");
  const end = await story.passes(() => ana.sees().find(isEnd), "the end of the checks", 60_000);
  expect(said(end)).toContain("Check the resource yourself");
  expect(platform.calls().filter(({ path }) => path.endsWith("/restore"))).toHaveLength(1);
});
