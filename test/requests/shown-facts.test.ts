import { expect, test } from "vitest";
import { noInteraction } from "../../src/messages/origin.ts";
import type { Manner } from "../../src/passkeys/links.ts";
import { untaken } from "../../src/policy/responsibility/responsibility.ts";
import {
  backupFirstAction,
  countAction,
  overrideAction,
  passkeyActions,
  pressAction,
  pressSecondAction,
} from "../../src/requests/actions.ts";
import { readCountModalValue } from "../../src/requests/facets/bulk/view.ts";
import { scheduleFor } from "../../src/requests/facets/schedule/record.ts";
import { detailsMessage, pendingMessage, shortMessage } from "../../src/requests/pending-view.ts";
import type { Request } from "../../src/requests/request.ts";
import { readControl, requireShown, shownFacts } from "../../src/requests/shown-facts.ts";
import { cellOf, pressEvents } from "../../src/requests/states.ts";
import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { countView, nameView, reasonView } from "../../src/slack/question-modals.ts";
import { limits } from "../../src/views/limits.ts";
import { bulkOf, firstSending, overrideOf, requestOf } from "./requests.ts";

const backup = {
  ...{
    command: "vps capture",
    label: "Capture first",
    words: "",
    terms: "billed for 100 GB",
    newest: "none",
    rule: null,
  },
  ...{
    does: "captures",
    title: "Capturing",
    name: "",
    step: "offered",
    chosenBy: null,
    changedAt: null,
    made: [],
    next: [],
  },
} satisfies Request["backupFirst"];
const chosenBackup = { ...backup, step: "chosen", chosenBy: "U1" } satisfies Request["backupFirst"];
const schedule = scheduleFor({ at: 20_000_000, zone: "UTC", said: "" });
const moved = { ...schedule, at: 360_000, moves: 1, movedFrom: schedule.at };
const offered = requestOf({ mode: "peer", needed: 1, backupFirst: backup });

/** Each fact of a waiting request that others may change: before and after, with the manner of a press that it matters to. */
const changes: Record<string, { before: Request; after: Request; manners: Manner[]; others: Manner[]; words: RegExp }> =
  {
    "was moved": {
      before: { ...offered, schedule },
      after: { ...offered, schedule: moved },
      manners: [{}, { withBackup: true }, { second: true }, { named: "web-1" }, { counted: 12 }],
      others: [{ override: "an outage" }],
      words: /it is for <!date\^360\^.*now and was for <!date\^20000\^/,
    },
    "was scheduled": {
      before: offered,
      after: { ...offered, schedule: { ...moved, movedFrom: null } },
      manners: [{}, { withBackup: true }],
      others: [{ override: "an outage" }],
      words: /now and was to run at once/,
    },
    "got a backup": {
      before: offered,
      after: { ...offered, backupFirst: chosenBackup },
      manners: [{}, { named: "web-1" }, { override: "an outage" }],
      others: [{ withBackup: true }],
      words: /<@U1> chose the backup, so Rackbell first captures `web-1` \(billed for 100 GB\)/,
    },
    "lost its backup": {
      before: { ...offered, backupFirst: chosenBackup },
      after: offered,
      manners: [{}, { override: "an outage" }],
      others: [{ withBackup: true }],
      words: /no backup comes first any more/,
    },
    "was ordered by others, too": {
      before: { ...offered, repeats: ["r2"] },
      after: { ...offered, repeats: ["r2", "r3"] },
      manners: [{ second: true }],
      others: [{}],
      words: /the same was ordered once more/,
    },
    "was sent, with an unknown outcome": {
      before: offered,
      after: { ...offered, unsettled: firstSending },
      manners: [{}, { named: "web-1" }],
      others: [],
      words: /it was sent once, and its outcome is unknown/,
    },
  };

test.each(Object.entries(changes))(
  "a press of what was drawn before the request %s decides nothing and names the change, and what was drawn since counts",
  (_, { before, after, manners, others, words }) => {
    for (const manner of manners) {
      expect(() => requireShown(after, manner, shownFacts(before))).toThrow(words);
      expect(() => requireShown(after, manner, shownFacts(before))).toThrow("Nothing was decided.");
      expect(() => requireShown(after, manner, shownFacts(after))).not.toThrow();
      expect(() => requireShown(before, manner, shownFacts(before))).not.toThrow();
    }
    for (const manner of others) expect(() => requireShown(after, manner, shownFacts(before))).not.toThrow();
  },
);

test("each fact that a button carries has such a change", () => {
  const changed = Object.values(changes).flatMap(({ before, after }) => {
    const [was, is] = [shownFacts(before), shownFacts(after)];
    return Object.keys(is).filter((name) => is[name] !== was[name]);
  });
  expect([...new Set(changed)].sort()).toEqual(Object.keys(shownFacts(offered)).sort());
});

test("a button of an older version counts until the time moved or a backup was chosen, and one that took the backup goes on", () => {
  const { id, shown } = readControl("r1");
  expect(id).toBe("r1");
  const older = (request: Request, manner: Manner = {}) => expect(() => requireShown(request, manner, shown));
  older(offered).not.toThrow();
  older({ ...offered, schedule }).not.toThrow();
  older({ ...offered, schedule: moved }).toThrow(/was for <!date\^20000\^/);
  older({ ...offered, schedule: { ...moved, movedFrom: null } }).toThrow("was to run at once");
  older({ ...offered, backupFirst: chosenBackup }).toThrow("<@U1> chose the backup");
  older({ ...offered, backupFirst: chosenBackup }, { withBackup: true }).not.toThrow();
  older({ ...offered, unsettled: firstSending }).not.toThrow();
  expect(() => requireShown({ ...offered, schedule: moved }, {}, { backup: 0 })).toThrow(/was for <!date\^20000\^/);
});

/** Each step after which a request still waits, and the fact that it changes; null if a press does no more than it showed. */
const waitingSteps: Record<string, string | null> = {
  move: "at",
  chooseBackup: "backup",
  leaveBackup: "backup",
  askAboutRepeat: "repeats",
  // It takes a backup as well, if its presser chose one.
  approveInPart: "backup",
  // The same act waits for a later look.
  defer: null,
  review: null,
};

test("every press after which a request still waits changes a fact that the buttons carry, or nothing that they decide", () => {
  const peer = {
    ...offered,
    ruling: { ...offered.ruling, overridable: true },
    overrides: [overrideOf({ slackUser: "U2" })],
  };
  const staying = pressEvents.filter((event) => ["pending", "same"].includes(cellOf(event, peer)?.to ?? ""));
  expect(staying.toSorted()).toEqual(Object.keys(waitingSteps).toSorted());
  const carried = Object.keys(shownFacts(offered));
  for (const fact of Object.values(waitingSteps)) if (fact !== null) expect(carried).toContain(fact);
});

const deciding: ReadonlySet<string> = new Set([
  ...[pressAction, pressSecondAction, backupFirstAction, countAction, overrideAction],
  ...Object.values(passkeyActions),
]);

const bulk = bulkOf(
  Array.from({ length: 2_000 }, () => "waiting" as const),
  { counted: true },
);
const protection = { id: "vps-1", name: "web-1", by: "T1:U1", byName: "ana", at: 0 };

const long = "a-name-of-a-machine".repeat(15);
const forms: Record<string, Request> = {
  ...Object.fromEntries(
    Object.values(changes).flatMap(({ before, after }, at) => [
      [`${at} before`, before],
      [`${at} after`, after],
    ]),
  ),
  "asked of the requester": { ...offered, mode: "self", needed: 0 },
  "of a protected machine": { ...offered, protection, schedule },
  "with a passkey and an override": {
    ...offered,
    ruling: { ...offered.ruling, passkey: true, overridable: true },
    schedule,
  },
  "with an override": { ...offered, ruling: { ...offered.ruling, overridable: true }, schedule },
  "for 2,000 machines": {
    ...offered,
    target: null,
    backupFirst: null,
    bulk,
    schedule,
    review: {
      ...offered.review,
      press: "Cancel 2,000 VPSes",
      loss: [`All of "them" end. ${'\u00e4"\\'.repeat(2_000)}`],
    },
  },
  "of a long name": {
    ...offered,
    target: { id: "vps-1", name: long },
    protection: { ...protection, name: long },
    schedule,
  },
};

test.each(Object.entries(forms))(
  "each button that decides a request %s names it and what it shows, in Slack's room, in every message",
  (_, request) => {
    const view = { responsibility: untaken, may: null };
    const messages = [
      pendingMessage(request, { ...view, alone: false, listed: [] }),
      detailsMessage(request, { ...view, alone: false, listed: [] }),
      shortMessage(request, []),
    ];
    const controls = messages.flatMap(({ blocks }) => controlsOf(JSON.parse(JSON.stringify(blocks ?? []))));
    const values = controls
      .filter(({ action_id }) => deciding.has(action_id))
      .map(({ element }) => String(element.value));
    expect(values.length).toBeGreaterThanOrEqual(messages.length);
    for (const value of values) {
      expect(value.length).toBeLessThanOrEqual(limits.button.value);
      expect(readControl(value)).toEqual({ id: request.id, shown: shownFacts(request) });
    }
  },
);

test("each modal that decides remembers what it showed, in Slack's room", () => {
  const origin = {
    ...{ ...noInteraction, member: "E12345678901:U12345678901", slackUser: "U12345678901", channel: "C12345678901" },
    ...{
      responseUrl: `https://hooks.slack.com/${"x".repeat(150)}`,
      thread: "1795942580.123456",
      alert: "1795942580.123456",
    },
  };
  const request = forms["of a long name"] ?? offered;
  const count = readCountModalValue(controlsOfCount());
  if (!count) throw new Error("The button has no value");
  const about = { id: request.id, name: long, shown: null };
  const views = [
    nameView({ request, name: long }, { second: true, withBackup: true, counted: 2_000 }, origin),
    reasonView("override", { ...about, request }, origin),
    reasonView("override", { ...about, request: null, shown: shownFacts(request) }, origin),
    countView(count, origin),
  ];
  for (const { private_metadata: text = "" } of views) {
    expect(text.length).toBeLessThanOrEqual(limits.view.privateMetadata);
    expect(JSON.parse(text)).toMatchObject({ shown: shownFacts(request) });
  }
});

function controlsOfCount(): string {
  const request = forms["for 2,000 machines"] ?? offered;
  const { blocks } = pendingMessage(request, { alone: false, listed: [], responsibility: untaken });
  const controls = controlsOf(JSON.parse(JSON.stringify(blocks ?? [])));
  return String(controls.find(({ action_id }) => action_id === countAction)?.element.value);
}
