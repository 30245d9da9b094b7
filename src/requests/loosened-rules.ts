import { memberBeside, personOf, slackUserIn } from "../members/identities/person.ts";
import { readSettings } from "../members/settings/settings.ts";
import { adminsToNotify } from "../messages/admins.ts";
import type { Notification, NotificationSource } from "../messages/outbox.ts";
import { type LoosenedAlone, readPolicy } from "../policy/policy.ts";
import type { Rule } from "../policy/rule.ts";
import { projectsSeenBy } from "../policy/ruled-projects.ts";
import { ruleWords } from "../policy/words.ts";
import { type Message, section, textMessage } from "../views/blocks.ts";
import { prose } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { couldApproveAnything, placeProblem, reachable } from "./audience.ts";
import { isMember } from "./visibility.ts";

const channelSlot = "channel";

/**
 * The messages about rules that an admin loosened while nobody else was there to agree: in the approvals channel, else to the other admins
 * and a few approvers. Nobody is mentioned: it happened, and asks for nothing.
 */
export function loosenedMessages(app: RequestsApp): NotificationSource {
  return {
    async notifications(id, posted) {
      const loosened = (await readPolicy(app)).loosened.find((one) => one.id === id);
      if (!loosened) return null;
      const { approvalsChannel: channel } = await readSettings(app);
      const isThere = posted.has(channelSlot) || posted.size === 0;
      if (channel !== null && isThere && (await placeProblem(app.people, channel)) === null)
        return [await inChannel(app, loosened, channel)];
      return Promise.all((await findReaders(app, loosened)).map((user) => inDirect(app, loosened, user)));
    },
  };
}

async function inChannel(app: RequestsApp, loosened: LoosenedAlone, channel: string): Promise<Notification> {
  // Each member of the channel reads it, so it names no project, and no other private channel.
  const message = await messageFor(app, loosened, {
    projects: new Set(),
    readsChannel: async (id) => id === channel || (await app.people.channel(id)).isPublic,
  });
  const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
  return { slot: channelSlot, to, message, priority: "ending", since: loosened.at };
}

async function inDirect(app: RequestsApp, loosened: LoosenedAlone, user: string): Promise<Notification> {
  const rules = [...loosened.before, ...loosened.after];
  const message = await messageFor(app, loosened, {
    projects: rules.some(({ when }) => when.project)
      ? await projectsSeenBy(app, memberBeside(loosened.by, user))
      : new Set(),
    readsChannel: async (id) =>
      (await app.people.channel(id)).isPublic || (await isMember(app, id, { slackUser: user })),
  });
  return { slot: user, to: { in: "direct", user }, message, priority: "ending", since: loosened.at };
}

/** The other admins, and up to five members who could approve something. */
async function findReaders(app: RequestsApp, { by }: LoosenedAlone): Promise<string[]> {
  const { identities } = app;
  const own = slackUserIn(by);
  const admins = (await adminsToNotify(app, [])).filter((user) => user !== own);
  const proposer = personOf(await identities.links(by));
  const approvers = (await identities.all()).filter((links) => couldApproveAnything(links, proposer));
  const called = (await reachable(app, approvers)).map(({ slackUser }) => slackUser);
  return [...new Set([...admins, ...called.filter((user) => user !== own)])];
}

/** The names in a rule that a reader knows already. */
interface Knowledge {
  projects: ReadonlySet<string>;
  readsChannel: (channel: string) => Promise<boolean>;
}

async function messageFor(app: RequestsApp, loosened: LoosenedAlone, reader: Knowledge): Promise<Message> {
  const { name } = await app.people.person(slackUserIn(loosened.by)).catch(() => ({ name: "An admin" }));
  const headline = `:unlock: ${prose(name, 80)} loosened the approval rules. No other admin is there who could agree.`;
  const [before, after] = await Promise.all([rulesFor(loosened.before, reader), rulesFor(loosened.after, reader)]);
  const lines = [`*Before:* ${before}`, `*Now:* ${after}`, "`/rackbell policy` shows all rules."];
  return { ...textMessage(`${headline} Now: ${after}`), blocks: [section([headline, ...lines].join("\n"))] };
}

async function rulesFor(rules: readonly Rule[], reader: Knowledge): Promise<string> {
  const words = await Promise.all(rules.map((rule) => wordsFor(rule, reader)));
  return words.length === 0 ? "no rule about it" : words.join(" ");
}

async function wordsFor(rule: Rule, { projects, readsChannel }: Knowledge): Promise<string> {
  const { project, channels } = rule.when;
  const isHidden = project !== null && (project.id === null || !projects.has(project.id));
  const shown = isHidden
    ? { ...rule, when: { ...rule.when, project: { ...project, name: "(not named here)" } } }
    : rule;
  const ids = channels?.ids ?? [];
  const read = await Promise.all(ids.map(readsChannel));
  const known = new Set(ids.filter((_, at) => read[at]));
  return ruleWords(shown, { channelWords: (id) => (known.has(id) ? `<#${id}>` : "a private channel") });
}
