import { describe, expect, test } from "vitest";
import { concealedText } from "../always.ts";
import { startAlertStory, supplierLifts, supplierSuspends } from "../reseller/alerting.ts";
import { type Actor, everybody, goAhead, type Message, peer, type Story, said, startStory } from "../story.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Another organisation accepts an invitation to #ops. Slack sends no event, and the app asks again within a minute. */
function share({ slack, clock }: Story): void {
  if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
  clock.skip(2 * minute);
}

/** All messages of the app that everybody in #ops can read, by their time. */
function readable({ slack }: Story): Map<string, string> {
  const messages = (slack.state().channels.ops ?? []).filter(({ user }) => user === slack.botUserId);
  return new Map(messages.filter(({ ephemeralTo }) => !ephemeralTo).map((message) => [message.ts, said(message)]));
}

/** Waits until the actor's direct messages hold the texts, however long the app takes. */
function direct(story: Story, actor: Actor, ...texts: string[]): Promise<Message> {
  return story.comesToSeeIn("dm", actor, ...texts);
}

interface LaterChange {
  environment?: Record<string, string>;
  rules?: string[];
  /** How #ops gets alerts. */
  filter?: string;
  /**
   * Makes a message in #ops, and resolves with what changes it after the channel is shared, up to the end of what follows.
   * It waits for the last message before the sharing: one on its way then was checked before.
   */
  begin(story: Story): Promise<() => Promise<unknown>>;
}

const cancelling = (story: Story) => story.ask(story.ana, "/vps cancel web-1", "asks to");

/** A card that changes here is gone for those who could decide, so the request ends. */
const ended = (story: Story) =>
  direct(story, story.ana, "Rackbell cannot show this request to those who decide", "Nothing was done");

async function deny({ ben, modal }: Story, request: Message): Promise<void> {
  await ben.press(request, "Deny…");
  await modal(ben, "Deny the request");
  await ben.fill({ "Why?": "Not today" });
  await ben.submit();
}

/** The supplier suspends mail.example.test, which #ops shows. */
async function suspended(story: Story): Promise<{ id: string; alert: Message }> {
  const id = await supplierSuspends(story, "mail.example.test");
  return { id, alert: await story.sees(story.ben, "`mail.example.test` is suspended", "by webhook,") };
}

const refused = (story: Story) =>
  direct(story, story.ana, "No alert reaches", "Another organisation reads this channel");

const requests: Record<string, LaterChange> = {
  "a request that somebody approves": {
    async begin(story) {
      const request = await cancelling(story);
      return async () => {
        await story.ben.press(request, goAhead);
        await direct(story, story.ana, "`web-1` ends", "approved by");
      };
    },
  },
  "a request that somebody denies": {
    async begin(story) {
      const request = await cancelling(story);
      return async () => {
        await deny(story, request);
        await direct(story, story.ana, "denied", "Not today");
      };
    },
  },
  "a request that its requester withdraws": {
    async begin(story) {
      const request = await cancelling(story);
      return async () => {
        await story.ana.press(request, "request:withdraw");
        await direct(story, story.ana, "was withdrawn");
      };
    },
  },
  "a request that waits for a reminder": {
    async begin(story) {
      await cancelling(story);
      return () => ended(story);
    },
  },
  "a request that one of two approves": {
    rules: ["demand=two-approvals risk=destroy"],
    async begin(story) {
      const request = await cancelling(story);
      return async () => {
        await story.ben.press(request, goAhead);
        await ended(story);
      };
    },
  },
  "a request that the requester confirms": {
    environment: { APPROVALS: "self" },
    async begin(story) {
      const request = await cancelling(story);
      return async () => {
        await story.ana.press(request, goAhead);
        await direct(story, story.ana, "`web-1` ends");
      };
    },
  },
  "a scheduled request that begins": {
    async begin(story) {
      const request = await story.ask(story.ana, "/vps cancel web-1 in=2h", "asks to");
      await story.pressing(story.ben, request, goAhead, "It is scheduled for");
      await story.comesToSee(story.ana, "approved your request", "It is scheduled for");
      return () => direct(story, story.ana, "`web-1` ends");
    },
  },
  "a request whose job the platform ends later": {
    async begin(story) {
      await story.ana.type("/vps reinstall web-2");
      await story.modal(story.ana, "Operating system");
      await story.ana.fill({ "Operating system": "Debian 13", Why: "It hangs" });
      await story.ana.submit();
      const request = await story.sees(story.ana, "asks to", "Reinstall");
      await story.ben.press(request, goAhead);
      await story.sees(story.ben, "is being carried out");
      // Time that passes here would bring the job's next step.
      await story.sees(story.ben, "Reinstalling `web-2`", "In the direct messages");
      return () => direct(story, story.ana, ":white_check_mark:", "web-2");
    },
  },
  "a request for several machines": {
    async begin(story) {
      const request = await story.ask(story.ana, "/vps reboot web-1 web-2", "asks to");
      return async () => {
        await story.ben.press(request, goAhead);
        await direct(story, story.ana, "web-1", "web-2", ":white_check_mark:");
      };
    },
    rules: ["demand=one-approval risk=change"],
  },
};

const alerts: Record<string, LaterChange> = {
  "an alert whose cause ends": {
    async begin(story) {
      const { id } = await suspended(story);
      return async () => {
        await supplierLifts(story, id);
        await refused(story);
      };
    },
  },
  "an alert that fails again": {
    async begin(story) {
      const { id } = await suspended(story);
      await supplierLifts(story, id);
      await story.comesToSee(story.ben, "Too much mail", "Suspension lifted by the supplier");
      return async () => {
        await supplierSuspends(story, "mail.example.test");
        await refused(story);
      };
    },
  },
  "an alert that is posted without threads": {
    async begin(story) {
      await story.ask(story.ana, "/rackbell alerts mode #ops how=card", "gets cards alone");
      const { id } = await suspended(story);
      return async () => {
        await supplierLifts(story, id);
        await refused(story);
      };
    },
  },
  "an alert that nobody takes": {
    filter: "mention=@ben then=@caro after=20m",
    async begin(story) {
      await suspended(story);
      return () => refused(story);
    },
  },
  "an alert that somebody takes": {
    async begin(story) {
      const { alert } = await suspended(story);
      return async () => {
        await story.ben.press(alert, "Take");
        await refused(story);
      };
    },
  },
  "an alert that somebody mutes": {
    async begin(story) {
      await suspended(story);
      return async () => {
        await story.ask(story.ana, "/rackbell alerts mute mail.example.test hours=4", "are muted");
        await refused(story);
      };
    },
  },
  "a brief that somebody shows to all": {
    async begin(story) {
      const { alert } = await suspended(story);
      const brief = await story.pressing(story.ben, alert, "Brief me", "Brief of `mail.example.test`");
      return () => story.pressing(story.ben, brief, "Show to channel", "Another organisation reads this channel");
    },
  },
  "a note on an alert": {
    async begin(story) {
      const { alert } = await suspended(story);
      return async () => {
        await story.ben.say("@Rackbell note the queue is full", "#ops", alert.ts);
        await story.sees(story.ben, "Noted");
      };
    },
  },
  "a digest": {
    async begin(story) {
      const at = (new Date(story.clock.now()).getUTCHours() + 2) % 24;
      await story.ask(
        story.ana,
        `/rackbell alerts mode #ops how=digest hours=${at} zone=UTC`,
        "by the clocks of `UTC`",
      );
      // The card in another channel shows that the event has come.
      await story.ask(story.ana, "/rackbell alerts add #general", "Saved");
      await supplierSuspends(story, "mail.example.test");
      await story.seesIn("#general", story.ben, "`mail.example.test` is suspended");
      await story.comesToSee(story.ana, "The test event arrived");
      return async () => {
        story.clock.skip(2 * hour);
        await refused(story);
      };
    },
  },
  "a weekly report": {
    async begin(story) {
      await story.ask(story.ana, "/rackbell report #ops monday 09:00", "every Monday at 09:00");
      await story.ask(story.ana, "/rackbell report post", "Weekly report:");
      return async () => {
        await story.ana.type("/rackbell report post");
        await direct(story, story.ana, "The weekly report of", "could not be posted");
      };
    },
  },
};

/** Shares the channel before the later change, and compares all that its readers see. */
async function expectNothingMore(story: Story, begin: LaterChange["begin"]): Promise<void> {
  const change = await begin(story);
  const before = readable(story);
  share(story);
  await change();
  // A late message must not come here either.
  story.clock.skip(hour);
  await story.askIn("dm", story.ana, "/vps list", "web-2");
  for (const [ts, text] of readable(story)) expect([before.get(ts), concealedText]).toContain(text);
}

describe("once another organisation has come to read a channel, Rackbell shows nothing more in it", () => {
  test.for(Object.entries(requests))(
    "%s ends in the direct messages of its requester",
    { timeout: 60_000 },
    async ([, { environment = peer, rules = [], begin }]) => {
      await expectNothingMore(await startStory({ linked: everybody, rules, environment }), begin);
    },
  );

  test.for(Object.entries(alerts))("%s brings nothing new to it", { timeout: 60_000 }, async ([, options]) => {
    const { filter = "", begin } = options;
    await expectNothingMore(await startAlertStory(filter, { linked: ["ana", "ben"], partners: ["ana", "ben"] }), begin);
  });
});
