import type { UsersInfoResponse, WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import * as z from "#zod";
import type { SlackGroups, SlackPeople, SlackUser } from "../../members/slack-user.ts";
import type { Clock } from "../../process/clock.ts";
import { defineKind } from "../../storage/kind.ts";
import type { TypedKeyv } from "../../storage/store.ts";
import { isZone } from "../../views/zone.ts";
import { createCache } from "./cache.ts";
import { counted, createCaller, type OnSlackCall } from "./calling.ts";
import { SlackRateLimited, SlackRefused, SlackUnanswered } from "./errors.ts";
import type { Wire } from "./wire.ts";

/** The workspace that the app is installed in, and the organisation that it belongs to, if any. */
export interface Workspace {
  team: string;
  enterprise: string | null;
}

/** The facts about a conversation that decide what may be posted there. */
export interface Channel {
  id: string;
  direct: boolean;
  /** Every member of the workspace can read it; false while Slack does not answer. */
  isPublic: boolean;
  /** Another organisation can read it. Also true while Slack does not answer, so that nothing is posted there by mistake. */
  shared: boolean;
  /** The app is a member. False for a private channel without the app, too. */
  member: boolean;
  /** False while Slack does not answer; then each call asks again. */
  known: boolean;
}

/** The present Do Not Disturb of a user, or the next one, in milliseconds since the epoch. */
interface QuietSpan {
  from: number;
  to: number;
}

export interface People extends SlackPeople {
  channel(id: string): Promise<Channel>;
  /** True if the app is in a channel in which it may post. Null while Slack does not answer. Never cached. */
  isInChannel(): Promise<boolean | null>;
  /** Slack ids of a channel's members. Null if unknown: the app is not in it, Slack does not answer, or it has over 10,000 members. */
  members(channel: string): Promise<ReadonlySet<string> | null>;
  /** Begins to read what somebody will soon ask for, unless it is cached. A failure is left to them. */
  expectPerson(user: string): void;
  expectChannel(id: string): void;
  /**
   * The users who are in Do Not Disturb now, each with its end in milliseconds since the epoch. Never rejects: it is empty without the scope,
   * or while Slack does not answer. Slack shows no app that somebody paused their notifications by hand.
   */
  quiet(users: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Drops a user from the cache of every instance. */
  forget(user: string): Promise<void>;
  /** Drops the user groups from it. */
  forgetGroups(): Promise<void>;
}

const personLifeMs = 5 * 60_000;
/**
 * As long as Slack's events cannot tell of the changes: an invitation of another organisation, and a public channel that became private, have
 * no event that the app may get without reading all messages. The read begins when an act arrives, so nobody waits for it.
 */
const channelLifeMs = 60_000;
const most = 5_000;
/** Users of one call of `dnd.teamInfo`. */
const mostInDndCall = 50;
/** Members per page, and the most pages read of one channel or of the workspace. */
const membersPerPage = 1_000;
const mostMemberPages = 10;
/** All user groups are one entry of their cache, and so are all people. */
const allPeople = "people";
const allGroups = "user groups";
/** Channels whose member lists are cached at a time. */
const mostRosters = 200;

/** A fresh word for each person who changed lately: the instances drop what they had read of them. */
export const peopleChanges = defineKind({
  name: "change of a person",
  namespace: "people-changes",
  schema: z.string(),
  lasts: "memory",
});

export function createPeople(deps: {
  client: WebClient;
  wire: Wire;
  /** Shared marks of the users that changed lately, from Slack's events. */
  changes: TypedKeyv<string>;
  /** Called after every call, for the metrics. */
  onCall?: OnSlackCall;
  clock: Clock;
  log: Logger;
  workspace: Workspace;
  /** The installation has the scope `dnd:read`. */
  readsQuiet?: boolean;
}): People {
  const { client, wire, changes, onCall = () => {}, clock, log, workspace, readsQuiet = true } = deps;
  const caller = createCaller({ wire, apiUrl: client.slackApiUrl, token: client.token ?? "" });
  const people = createCache<SlackUser>({ clock, most, lifeMs: personLifeMs, changes });
  const channels = createCache<Channel>({ clock, most, lifeMs: channelLifeMs });
  const quiets = createCache<ReadonlyMap<string, QuietSpan>>({ clock, most: mostRosters, lifeMs: channelLifeMs });
  const everybody = createCache<readonly SlackUser[]>({ clock, most: 1, lifeMs: personLifeMs });
  const groups = createCache<SlackGroups>({ clock, most: 1, lifeMs: channelLifeMs, changes });
  const rosters = createCache<ReadonlySet<string> | null>({ clock, most: mostRosters, lifeMs: channelLifeMs });

  /** Makes a call without waiting for Slack's rate limit: a member waits for this answer, so a later one is useless. */
  async function once<T>(method: string, run: () => Promise<T>): Promise<T> {
    try {
      return await counted(method, run, onCall);
    } catch (fault) {
      if (!(fault instanceof SlackRateLimited)) throw fault;
      throw new SlackUnanswered(method, { maybeApplied: false, why: "Slack asks to slow down", cause: fault });
    }
  }

  async function readPerson(user: string): Promise<SlackUser> {
    const { user: found } = await once("users.info", () => client.users.info({ user }));
    const person = found && personOf({ ...found, id: user });
    if (!person) throw leftOut("users.info", "who somebody is");
    return person;
  }

  /** Null where Slack leaves out who they are: a guest whose flag is missing must not pass for a member. */
  function personOf(found: NonNullable<UsersInfoResponse["user"]> & { id: string }): SlackUser | null {
    const outsider = outsiderOf(found);
    if (outsider === undefined) return null;
    return {
      id: found.id,
      name: found.profile?.display_name || found.real_name || found.name || found.id,
      admin: found.is_admin === true || found.is_owner === true,
      outsider,
      deleted: found.deleted === true,
      // This runtime may not know the zone that Slack names.
      zone: found.tz && isZone(found.tz) ? found.tz : "UTC",
    };
  }

  /** Undefined where Slack leaves it out. One who was deactivated has no flags, and takes no part anyway. */
  function outsiderOf(found: NonNullable<UsersInfoResponse["user"]>): SlackUser["outsider"] | undefined {
    const { team_id: team, is_stranger, deleted, is_restricted, is_ultra_restricted } = found;
    const isHome = team === workspace.team || isOfEnterprise(found);
    if (is_stranger === true || (team !== undefined && !isHome)) return "other organisation";
    const flags = [is_restricted, is_ultra_restricted];
    if (flags.includes(true)) return "guest";
    return deleted === true || (isHome && [deleted, ...flags].every((flag) => flag === false)) ? null : undefined;
  }

  function isOfEnterprise({ enterprise_user: of }: { enterprise_user?: { enterprise_id?: string } }): boolean {
    return workspace.enterprise !== null && of?.enterprise_id === workspace.enterprise;
  }

  async function readChannel(id: string): Promise<Channel> {
    try {
      const channel = await once("conversations.info", () => caller.channel(id));
      const direct = channel?.is_im === true;
      // A flag that is missing must not read as a channel of this workspace alone.
      if (!channel || (!direct && typeof channel.is_ext_shared !== "boolean"))
        throw leftOut("conversations.info", "who reads a channel");
      const shared = channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
      const isPublic = !direct && channel.is_mpim !== true && channel.is_private === false;
      return { id, direct, isPublic, shared, member: channel.is_member === true, known: true };
    } catch (error) {
      // Slack answers the same for a private channel without the app and for none: nothing can be posted in either.
      if (error instanceof SlackRefused && error.reason === "channel_not_found")
        return { id, direct: false, isPublic: false, shared: false, member: false, known: true };
      throw error;
    }
  }

  async function readQuiet(users: readonly string[]): Promise<ReadonlyMap<string, QuietSpan>> {
    const found = new Map<string, QuietSpan>();
    for (let at = 0; at < users.length; at += mostInDndCall) {
      const some = users.slice(at, at + mostInDndCall).join(",");
      const answer = await once("dnd.teamInfo", () => client.dnd.teamInfo({ users: some }));
      for (const [user, { dnd_enabled, next_dnd_start_ts: from = 0, next_dnd_end_ts: to = 0 }] of Object.entries(
        answer.users ?? {},
      ))
        if (dnd_enabled) found.set(user, { from: from * 1_000, to: to * 1_000 });
    }
    return found;
  }

  /** Reads the pages of a list until the last one. False if it has more of them than `mostMemberPages`. */
  async function readPages(readPage: (page: { limit: number; cursor?: string }) => Promise<string>): Promise<boolean> {
    let cursor = "";
    for (let page = 0; page < mostMemberPages; page += 1) {
      cursor = await readPage({ limit: membersPerPage, ...(cursor === "" ? {} : { cursor }) });
      if (cursor === "") return true;
    }
    return false;
  }

  async function readMembers(channel: string): Promise<ReadonlySet<string> | null> {
    const found = new Set<string>();
    const isWhole = await readPages(async (page) => {
      const answer = await once("conversations.members", () => client.conversations.members({ channel, ...page }));
      for (const user of listIn(answer.members, "conversations.members")) found.add(user);
      return answer.response_metadata?.next_cursor ?? "";
    });
    return isWhole ? found : null;
  }

  async function findOwnChannel(): Promise<boolean> {
    let isFound = false;
    await readPages(async (page) => {
      const wanted = { types: "public_channel,private_channel", exclude_archived: true };
      const answer = await once("users.conversations", () => client.users.conversations({ ...wanted, ...page }));
      isFound ||= listIn(answer.channels, "users.conversations").some(({ is_ext_shared: shared }) => shared === false);
      return isFound ? "" : (answer.response_metadata?.next_cursor ?? "");
    });
    return isFound;
  }

  async function readEverybody(): Promise<SlackUser[]> {
    const found: SlackUser[] = [];
    await readPages(async (page) => {
      const { members, response_metadata } = await once("users.list", () => client.users.list(page));
      const people = listIn(members, "users.list").filter(({ is_bot: isBot }) => !isBot);
      found.push(...people.flatMap(({ id, ...user }) => (id ? (personOf({ ...user, id }) ?? []) : [])));
      return response_metadata?.next_cursor ?? "";
    });
    return found;
  }

  async function readGroups(): Promise<SlackGroups> {
    try {
      const method = "usergroups.list";
      const { usergroups } = await once(method, () => client.usergroups.list({ include_users: true }));
      return {
        groups: listIn(usergroups, method).flatMap(({ id, handle, users }) =>
          id ? [{ id, handle: handle || id, users: listIn(users, method) }] : [],
        ),
      };
    } catch (error) {
      if (!(error instanceof SlackRefused)) throw error;
      if (error.reason === "missing_scope") return { unread: "no scope" };
      // A workspace without a paid plan has none.
      if (error.reason === "plan_upgrade_required") return { groups: [] };
      throw error;
    }
  }

  return {
    expectPerson(user) {
      people.recall(user, () => readPerson(user)).catch(ignore);
    },
    expectChannel(id) {
      if (!isDirect(id)) channels.recall(id, () => readChannel(id)).catch(ignore);
    },
    person: (user, options) => people.recall(user, () => readPerson(user), options),
    async channel(id) {
      if (isDirect(id)) return { id, direct: true, isPublic: false, shared: false, member: true, known: true };
      try {
        return await channels.recall(id, () => readChannel(id));
      } catch (error) {
        log.warn({ err: error, channel: id }, "Slack does not say who reads a channel, so nothing is posted in it");
        return { id, direct: false, isPublic: false, shared: true, member: false, known: false };
      }
    },
    async isInChannel() {
      try {
        return await findOwnChannel();
      } catch (error) {
        log.warn({ err: error }, "Slack does not list the channels that the app is in, so that is unknown");
        return null;
      }
    },
    async members(channel) {
      // Slack lists no members of a direct message to the app.
      if (isDirect(channel)) return null;
      try {
        return await rosters.recall(channel, () => readMembers(channel));
      } catch (error) {
        log.warn({ err: error, channel }, "Slack does not say who is in a channel, so nothing is shown for it");
        return null;
      }
    },
    async quiet(users) {
      const asked = readsQuiet ? [...new Set(users)].toSorted() : [];
      if (asked.length === 0) return new Map();
      try {
        const now = clock.now();
        const spans = await quiets.recall(asked.join(","), () => readQuiet(asked));
        return new Map([...spans].flatMap(([user, { from, to }]) => (from <= now && now < to ? [[user, to]] : [])));
      } catch (error) {
        log.warn({ err: error }, "Slack does not say who is in Do Not Disturb, so nobody counts as silenced");
        return new Map();
      }
    },
    forget: people.forget,
    async everybody() {
      try {
        return await everybody.recall(allPeople, readEverybody);
      } catch (error) {
        log.warn({ err: error }, "Slack does not list its people, so a form offers those alone who have linked a key");
        return [];
      }
    },
    async groups(options) {
      try {
        return await groups.recall(allGroups, readGroups, options);
      } catch (error) {
        log.warn({ err: error }, "Slack does not give its user groups, so they count as unread");
        return { unread: "no answer" };
      }
    },
    forgetGroups: () => groups.forget(allGroups),
  };
}

/** Slack answered, and left out what was asked: that is no answer. */
function leftOut(method: string, what: string): SlackUnanswered {
  return new SlackUnanswered(method, { maybeApplied: false, why: `Slack does not say ${what}` });
}

/** A list that must be there: one that is missing would read as empty. Throws SlackUnanswered. */
function listIn<T>(list: readonly T[] | undefined, method: string): readonly T[] {
  if (Array.isArray(list)) return list;
  throw leftOut(method, "what is in its list");
}

function isDirect(channel: string): boolean {
  return channel.startsWith("D");
}

/** For a read that nobody awaits: whoever needs its result asks again, and handles the error then. */
function ignore(): void {}
