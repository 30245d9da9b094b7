import { memberBeside, personOf, slackUserIn } from "../members/identities/person.ts";
import { peopleWords } from "../members/people/people-list.ts";
import { readSettings } from "../members/settings/settings.ts";
import { userName, userNames } from "../members/slack-user.ts";
import { adminsToNotify } from "../messages/admins.ts";
import type { Notification, NotificationSource } from "../messages/outbox.ts";
import { type RuleChange, readPolicy } from "../policy/policy.ts";
import { type Rule, usersNamedIn } from "../policy/rule.ts";
import { projectsSeenBy } from "../policy/ruled-projects.ts";
import { ruleWords } from "../policy/words.ts";
import type { PlainText } from "../process/plain-text.ts";
import { type Message, paragraphs } from "../views/blocks.ts";
import { count, prose } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { couldApproveAnything, placeProblem, reachable } from "./audience.ts";
import { readsChannel } from "./visibility.ts";

const channelSlot = "channel";

/**
 * The messages about a change of the rules, with the rules before and after: in the approvals channel. Without it, of what one admin
 * loosened alone, to the other admins and a few approvers. Nobody is mentioned: it happened, and asks for nothing.
 */
export function ruleChangeMessages(app: RequestsApp): NotificationSource {
  return {
    async notifications(id, posted) {
      const change = (await readPolicy(app)).changes.find((one) => one.id === id);
      if (!change) return null;
      const { approvalsChannel: channel } = await readSettings(app);
      const isThere = posted.has(channelSlot) || posted.size === 0;
      if (channel !== null && isThere && (await placeProblem(app.people, channel)) === null)
        return [await inChannel(app, change, channel)];
      if (change.how !== "alone") return [];
      return Promise.all((await findReaders(app, change)).map((user) => inDirect(app, change, user)));
    },
  };
}

async function inChannel(app: RequestsApp, change: RuleChange, channel: string): Promise<Notification> {
  // Each member of the channel reads it, so it names no project, and no other private channel.
  const message = await messageFor(app, change, {
    projects: new Set(),
    readsChannel: async (id) => id === channel || (await app.people.channel(id)).isPublic,
  });
  const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
  return { slot: channelSlot, to, message, priority: "ending", since: change.at };
}

async function inDirect(app: RequestsApp, change: RuleChange, user: string): Promise<Notification> {
  const rules = [...change.before, ...change.after];
  const message = await messageFor(app, change, {
    projects: rules.some(({ when }) => when.project)
      ? await projectsSeenBy(app, memberBeside(change.by, user))
      : new Set(),
    readsChannel: (id) => readsChannel(app, id, { slackUser: user }),
  });
  return { slot: user, to: { in: "direct", user }, message, priority: "ending", since: change.at };
}

/** The other admins, and up to five members who could approve something. */
async function findReaders(app: RequestsApp, { by }: RuleChange): Promise<string[]> {
  const { identities } = app;
  const own = slackUserIn(by);
  const admins = (await adminsToNotify(app, [])).filter((user) => user !== own);
  const proposer = personOf(await identities.links(by));
  const approvers = (await identities.all()).filter((links) => couldApproveAnything(app, links, proposer));
  const called = (await reachable(app, approvers)).map(({ slackUser }) => slackUser);
  return [...new Set([...admins, ...called.filter((user) => user !== own)])];
}

/** The names in a rule that a reader knows already. */
interface Knowledge {
  projects: ReadonlySet<string>;
  readsChannel: (channel: string) => Promise<boolean>;
}

async function messageFor(app: RequestsApp, change: RuleChange, reader: Knowledge): Promise<Message> {
  const { before, after } = change;
  const names = await userNames(app, [...before, ...after].flatMap(usersNamedIn));
  const words = (rules: readonly Rule[]) => rulesFor(rules, reader, names);
  const [headline, was, now] = await Promise.all([headlineOf(app, change), words(before), words(after)]);
  // Now comes first: it counts most if somebody reads no further.
  const lines = [...linesOf("Now", now), ...linesOf("Before", was), "`/rackbell policy` shows all rules."];
  return { text: `${headline} Now: ${now.join(" ")}`, blocks: paragraphs([headline, ...lines]) };
}

function linesOf(when: string, rules: readonly string[]): string[] {
  return rules.length === 1 ? [`*${when}:* ${rules[0]}`] : [`*${when}:*`, ...rules.map((rule) => `• ${rule}`)];
}

async function headlineOf(app: RequestsApp, { by, how, agreedBy }: RuleChange): Promise<string> {
  const [admin, other] = await Promise.all(
    [by, agreedBy ?? by].map(async (member) => prose(await userName(app, slackUserIn(member)), 80)),
  );
  return {
    tightened: `:lock: ${admin} changed the approval rules. Nothing needs less than before.`,
    alone: `:unlock: ${admin} loosened the approval rules. No other admin is there who could agree.`,
    agreed: `:unlock: ${admin} loosened the approval rules, and ${other} agreed.`,
    unopposed: `:unlock: ${admin} loosened the approval rules. No admin stopped it within 24 hours.`,
  }[how];
}

/** A message with more rules than this would be too long to read. */
const mostRules = 5;

async function rulesFor(
  rules: readonly Rule[],
  reader: Knowledge,
  names: ReadonlyMap<string, PlainText>,
): Promise<string[]> {
  const words = await Promise.all(rules.slice(0, mostRules).map((rule) => wordsFor(rule, reader, names)));
  const more = rules.length > mostRules ? [`And ${count(rules.length - mostRules, "more rule")}.`] : [];
  return words.length === 0 ? ["no rule about it"] : [...words, ...more];
}

async function wordsFor(
  rule: Rule,
  { projects, readsChannel }: Knowledge,
  names: ReadonlyMap<string, PlainText>,
): Promise<string> {
  const { project, channels } = rule.when;
  const isHidden = project !== null && !projects.has(project.id);
  const shown = isHidden
    ? { ...rule, when: { ...rule.when, project: { ...project, name: "(not named here)" } } }
    : rule;
  const ids = channels?.ids ?? [];
  const read = await Promise.all(ids.map(readsChannel));
  const known = new Set(ids.filter((_, at) => read[at]));
  return ruleWords(shown, {
    channelWords: (id) => (known.has(id) ? `<#${id}>` : "a private channel"),
    people: (list) => peopleWords(list, (user) => prose(names.get(user) ?? user, 80)),
  });
}
