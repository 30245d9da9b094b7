import { expect, onTestFinished, test } from "vitest";
import { createChat } from "../../src/messages/chat/chat.ts";
import { noInteraction, type Origin } from "../../src/messages/origin.ts";
import { type Place, type Placing, placeMessage } from "../../src/messages/postman.ts";
import type { Reply } from "../../src/messages/reply.ts";
import { createPracticeSlack } from "../../src/sandbox/slack/server.ts";
import { RunLost } from "../../src/storage/errors.ts";
import { section } from "../../src/views/blocks.ts";
import { openMemory } from "../storage/memory.ts";
import { createClient, pacesFor, peopleFor, supportFor, uncounted, wireFor } from "./chat/callers.ts";

const message = { text: "Pay 5.00 EUR?", blocks: [section("Pay 5.00 EUR?")] };
const run = { lane: "notify:", id: "request:1", run: "1", repeats: false };

/** A postman in the practice workspace. `lost`: another instance has taken over its run. `sent`: the private replies. */
async function world({ lost = false } = {}) {
  const { store, clock, log } = await openMemory();
  const slack = await createPracticeSlack({ clock });
  onTestFinished(() => slack.close());
  const client = createClient({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
  const people = await peopleFor(client, { clock, team: slack.teamId });
  const chat = createChat({
    client,
    people,
    wire: wireFor(clock),
    paces: pacesFor(clock),
    // The turn of a channel proves the run as well: here only the postman's own proof counts.
    timers: { prove: async () => {} },
    blockSupport: await supportFor(clock),
    responseUses: uncounted,
    clock,
    log,
  });
  const sent: string[] = [];
  const note = (way: string) => async (): Promise<void> => void sent.push(way);
  const reply: Reply = {
    ephemeral: note("ephemeral"),
    say: note("say"),
    async replaceEphemeral() {
      sent.push("replaceEphemeral");
      return true;
    },
    dismiss: note("dismiss"),
    remove: note("remove"),
    file: note("file"),
    inChannel: note("inChannel"),
  };
  async function prove(): Promise<void> {
    if (lost) throw new RunLost("notify:request:1");
  }
  const { id } = slack.user("ana");
  const origin: Origin = { member: `${slack.teamId}:${id}`, slackUser: id, channel: null, ...noInteraction };
  const app = { chat, people, reply, store: { ...store, timers: { ...store.timers, prove } } };
  function place(to: Place, more: Partial<Placing> = {}) {
    const marked = { subject: "request:1", slot: "card", priority: "answer", since: clock.now(), run } as const;
    return placeMessage(app, { ...marked, to, message, posted: undefined, under: null, settling: false, ...more });
  }
  const posts = () => [...slack.calls("chat.postMessage"), ...slack.calls("chat.update")];
  return {
    slack,
    clock,
    place,
    origin,
    sent,
    posts,
    ops: slack.channels.ops?.id ?? "",
    shared: slack.channels["shared-partner"]?.id ?? "",
  };
}

type World = Awaited<ReturnType<typeof world>>;

const privately = ({ origin }: World) => ({ in: "private", origin, fleeting: false }) as const;
const elsewhere = ({ origin, shared }: World, lasting: boolean) =>
  ({ in: "channel", channel: shared, otherwise: origin, lasting }) as const;

const ways: [way: string, place: (world: World) => Promise<unknown>, sent: string[]][] = [
  ["shown", (world) => world.place(privately(world)), ["ephemeral"]],
  ["replaced by news", (world) => world.place({ ...privately(world), fleeting: true }), ["replaceEphemeral"]],
  ["taken away at first", (world) => world.place({ ...privately(world), gone: true }), ["remove"]],
  ["edited", (world) => world.place(privately(world), { posted: null }), ["replaceEphemeral"]],
  ["taken away later", (world) => world.place({ ...privately(world), gone: true }, { posted: null }), ["remove"]],
  ["shown in place of a channel", (world) => world.place(elsewhere(world, false)), ["ephemeral"]],
  ["shown beside direct messages", (world) => world.place(elsewhere(world, true)), ["ephemeral"]],
];

test.each(ways)(
  "a private message is %s once, and not by an instance whose run another one has taken over",
  async (_, place, sent) => {
    const mine = await world();
    await place(mine);
    expect(mine.sent).toEqual(sent);
    const lost = await world({ lost: true });
    await expect(place(lost)).rejects.toThrow(RunLost);
    expect(lost.sent).toEqual([]);
    expect(lost.posts()).toEqual([]);
  },
);

test("a deleted message that was up to date is posted nowhere else; one that has news goes to direct messages", async () => {
  const { place, ops, origin, posts } = await world();
  const posted = { channel: ops, ts: "1.2" };
  const to = { in: "channel", channel: ops, otherwise: origin, lasting: true } as const;
  expect(await place(to, { posted, settling: true })).toEqual({ ref: posted });
  expect(posts().map(({ method }) => method)).toEqual(["chat.update"]);
  const placed = await place(to, { posted, settling: false });
  expect(placed).not.toEqual({ ref: posted });
  expect(posts().map(({ method }) => method)).toContain("chat.postMessage");
});

test.each([
  ["an edit", { settling: false }],
  ["an edit that repeats an unanswered one", { settling: true }],
])(
  "%s in a channel that another organisation reads by now goes to direct messages instead",
  async (_, { settling }) => {
    const { place, ops, slack, clock, origin } = await world();
    const to = { in: "channel", channel: ops, otherwise: origin, lasting: true } as const;
    const first = await place(to);
    const posted = "ref" in first ? first.ref : null;
    if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
    clock.skip(60_000);
    expect(await place(to, { posted, settling })).toMatchObject({ ref: { channel: expect.stringMatching(/^D/) } });
    expect(
      slack
        .as("ana")
        .sees()
        .map(({ text }) => text),
    ).toEqual(["Another organisation reads this channel, so Rackbell shows nothing more here."]);
  },
);

test("a reply under a message in such a channel, and one that no direct message can replace, go nowhere else", async () => {
  const { place, ops, slack, clock } = await world();
  const first = await place({ in: "channel", channel: ops, otherwise: null, lasting: true });
  const posted = "ref" in first ? first.ref : null;
  if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
  clock.skip(60_000);
  const unplaced = { unplaced: "Another organisation reads this channel" };
  const under = { in: "thread", under: "card", user: null } as const;
  expect(await place(under, { slot: "reply", under: posted })).toEqual(unplaced);
  const to = { in: "channel", channel: ops, otherwise: null, lasting: true } as const;
  expect(await place(to, { posted })).toEqual(unplaced);
  expect(await place(to, { slot: "other" })).toEqual(unplaced);
  expect(slack.calls("chat.postMessage")).toHaveLength(1);
});
