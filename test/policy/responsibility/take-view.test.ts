import { expect, test } from "vitest";
import { untaken } from "../../../src/policy/responsibility/responsibility.ts";
import { chainOf, type Reached } from "../../../src/policy/responsibility/steps.ts";
import { readTakeValue, takeBlocks, takeButton, waitBlocks } from "../../../src/policy/responsibility/take-view.ts";
import { moment } from "../../../src/views/format.ts";

const minute = 60_000;
const now = Date.parse("2026-11-28T10:00:00Z");
const takenBy = { slackUser: "U1", since: now, until: now + 60 * minute };
const texts = (blocks: unknown): string[] =>
  [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => JSON.parse(`"${text}"`));

/** Ben and Caro are notified at once, and the leads after 20 minutes. */
function reached(change: Partial<Reached["notified"][number]> = {}, skipped: string[] = []): Reached {
  const one = { insteadOf: null, quietUntil: null, direct: false };
  return { notified: [{ mention: "<@U2>", slackUser: "U2", ...one, ...change }], skipped };
}
const later = [{ to: "`@leads`", after: 20 * minute, reach: async () => reached() }];
const steps = (first: Reached) => chainOf("web-1", now, { first: { to: "<@U2>", reach: first }, later });

test("a card says who took it, since when and until when, or that the time gave it back", () => {
  expect(texts(takeBlocks({ takenBy, wentBack: null }))).toEqual([
    `:eyes: <@U1> took this ${moment(now)}. It goes back ${moment(takenBy.until)} if they do nothing in Rackbell until then.`,
  ]);
  expect(texts(takeBlocks({ takenBy, wentBack: null }, { endsAt: takenBy.until + 1 }))[0]).toContain("It goes back");
  expect(texts(takeBlocks({ takenBy, wentBack: null }, { endsAt: takenBy.until }))).toEqual([
    `:eyes: <@U1> took this ${moment(now)}. It is theirs until it expires.`,
  ]);
  expect(texts(takeBlocks({ takenBy, wentBack: null }, { isOver: true }))).toEqual([
    `:eyes: <@U1> took this ${moment(now)}.`,
  ]);
  expect(texts(takeBlocks({ takenBy: null, wentBack: takenBy }))).toEqual([
    `:hourglass: <@U1> took this ${moment(now)}. No act through Rackbell followed, so nobody has it since ${moment(takenBy.until)}.`,
  ]);
  expect(takeBlocks({ takenBy: null, wentBack: takenBy }, { isOver: true })).toEqual([]);
  expect(takeBlocks({ takenBy: null, wentBack: null })).toEqual([]);
});

test("a card says who is next and when, and says nothing that its mention says already", () => {
  const at = moment(now + 20 * minute);
  expect(waitBlocks(untaken, null)).toEqual([]);
  expect(texts(waitBlocks(untaken, { steps: steps(reached()) }))).toEqual([
    `:bell: Next: \`@leads\` ${at} if nobody takes it.`,
  ]);
  expect(texts(waitBlocks({ ...untaken, takenBy }, { steps: steps(reached()) }))).toEqual([
    `:bell: Next: \`@leads\` ${moment(takenBy.until)} if it goes back.`,
  ]);
  const muted = { steps: steps(reached()), heldUntil: now + 30 * minute };
  expect(texts(waitBlocks(untaken, muted))).toEqual([
    `:bell: Next: \`@leads\` ${moment(muted.heldUntil)} if nobody takes it.`,
  ]);
  const plain = chainOf("web-1", now, { first: { to: "<@U2>", reach: reached() }, later: [] });
  expect(waitBlocks(untaken, { steps: plain })).toEqual([]);
});

test("a card whose message mentions nobody says who is next, and nothing of earlier steps", () => {
  const silent = { steps: chainOf("web-1", now, { first: null, later }) };
  expect(texts(waitBlocks(untaken, silent))).toEqual([
    `:bell: Next: \`@leads\` ${moment(now + 20 * minute)} if nobody takes it.`,
  ]);
});

test("a card names those who may not hear it, those who were passed over, and a step that reached nobody", () => {
  const quiet = reached({ quietUntil: now + 300 * minute }, ["Dave was deactivated in Slack."]);
  const next = `Next: \`@leads\` ${moment(now)} if nobody takes it.`;
  expect(texts(waitBlocks(untaken, { steps: steps(quiet) }))).toEqual([
    `:bell: Rackbell notified <@U2>. <@U2> is in Do Not Disturb until ${moment(now + 300 * minute)}. Dave was deactivated in Slack. ${next}`,
  ]);
  const nobody = { notified: [], skipped: ["Dave was deactivated in Slack."] };
  expect(texts(waitBlocks(untaken, { steps: steps(nobody) }))).toEqual([
    `:warning: Nobody of <@U2> could be notified. Dave was deactivated in Slack. ${next}`,
  ]);
  expect(texts(waitBlocks(untaken, { steps: steps({ notified: [], skipped: [] }) }))).toEqual([
    `:warning: Nobody of <@U2> could be notified. ${next}`,
  ]);
});

test("a card tells the last step that was made, with what was noted of those before it", () => {
  const all = steps(reached({}, ["Dave was deactivated in Slack."]));
  const made = (name: string, kind: "escalated" | "reminded" | "unanswered", to: string, one: Reached) => ({
    ...{ name, kind, to, at: now + 20 * minute },
    ...one,
  });
  const leads = made("web-1:then-0", "escalated", "`@leads`", reached({ mention: "<!subteam^S1>", slackUser: null }));
  expect(texts(waitBlocks({ ...untaken, steps: [leads] }, { steps: all }))).toEqual([
    ":bell: Dave was deactivated in Slack. Rackbell notified <!subteam^S1>.",
  ]);
  expect(texts(waitBlocks({ ...untaken, takenBy, steps: [leads] }, { steps: all }))).toEqual([
    ":bell: Dave was deactivated in Slack. Rackbell notified <!subteam^S1>.",
  ]);
  const end = made("web-1:end", "unanswered", "", { notified: [], skipped: [] });
  expect(texts(waitBlocks({ ...untaken, steps: [leads, end] }, { steps: all }))).toEqual([
    ":warning: Dave was deactivated in Slack. Nobody has taken it, and no further step follows.",
  ]);
  const ended = { ...untaken, steps: [leads, end] };
  expect(texts(waitBlocks({ ...ended, takenBy }, { steps: all }))).toEqual([":bell: Dave was deactivated in Slack."]);
  const heard = chainOf("web-1", now, { first: { to: "<@U2>", reach: reached() }, later: [] });
  expect(waitBlocks({ ...untaken, steps: [end], takenBy }, { steps: heard })).toEqual([]);
  // A reminder comes as a message of its own, and the card says only when.
  const reminding = { name: "reminder", kind: "reminded" as const, to: "<@U2>", at: now + 10 * minute };
  const withReminder = { steps: [...steps(reached()), { ...reminding, reach: async () => reached() }] };
  expect(texts(waitBlocks(untaken, withReminder))).toEqual([
    `:bell: Next: a reminder ${moment(reminding.at)} if nobody decides it.`,
  ]);
  const reminded = made("reminder", "reminded", "<@U2>", reached());
  expect(texts(waitBlocks({ ...untaken, steps: [{ ...reminded, at: now + minute }] }, withReminder))).toEqual([
    `:bell: Next: \`@leads\` ${moment(now + 20 * minute)} if nobody takes it.`,
  ]);
});

test("the button takes what nobody has, and releases what somebody has", () => {
  const take = takeButton("act", "a1", { takenBy: null });
  const release = takeButton("act", "a1", { takenBy });
  expect([take.text.text, release.text.text]).toEqual(["Take", "Release"]);
  expect([take, release].map(({ action_id }) => action_id)).toEqual(["act", "act"]);
  expect(readTakeValue(take.value ?? "")).toEqual({ id: "a1", release: false });
  expect(readTakeValue(release.value ?? "")).toEqual({ id: "a1", release: true });
});
