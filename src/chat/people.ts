import type { WebClient } from "@slack/web-api";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Values } from "../storage/store.ts";
import { counted, type OnSlackCall } from "./calling.ts";
import { SlackRateLimited, SlackRefused, SlackUnanswered } from "./errors.ts";
import { createMemory } from "./memory.ts";

/** The workspace that the app is installed in, and the organisation that it belongs to, if any. */
export interface Workspace {
  team: string;
  enterprise: string | null;
}

/** A person as Slack knows them now. */
export interface Person {
  id: string;
  name: string;
  /** Runs the workspace: admin or owner. */
  admin: boolean;
  /** A guest, or somebody of another organisation: may neither link nor press. */
  outsider: "guest" | "other organisation" | null;
  deleted: boolean;
  /** The time zone that they chose in Slack, by its IANA name. */
  zone: string;
}

/** What the app may do in a conversation. */
export interface Channel {
  id: string;
  direct: boolean;
  /** Another organisation reads along; true as well while Slack does not tell, so that nothing is posted there by mistake. */
  shared: boolean;
  /** False also when it cannot be told: a private channel without the app. */
  member: boolean;
  /** False while Slack does not tell: then it is asked anew each time. */
  known: boolean;
}

export interface People {
  /** `fresh` asks Slack again, for rights that must be live. Rejects with SlackRefused or SlackUnanswered. */
  person(user: string, options?: { fresh?: boolean }): Promise<Person>;
  channel(id: string): Promise<Channel>;
  /** Forgets what was remembered of a user, in every instance. */
  forget(user: string): Promise<void>;
}

const personLifeMs = 5 * 60_000;
const channelLifeMs = 60_000;
const most = 5_000;

export function createPeople(deps: {
  client: WebClient;
  /** Which users changed lately, as all instances were told by Slack. */
  changes: Values;
  /** Told of every call, for the metrics. */
  onCall?: OnSlackCall;
  clock: Clock;
  log: Logger;
  workspace: Workspace;
}): People {
  const { client, changes, onCall = () => {}, clock, log, workspace } = deps;
  const people = createMemory<Person>({ clock, most, lifeMs: personLifeMs, changes });
  const channels = createMemory<Channel>({ clock, most, lifeMs: channelLifeMs });

  /** Somebody waits for this answer: what Slack would give later comes too late. */
  async function once<T>(method: string, run: () => Promise<T>): Promise<T> {
    try {
      return await counted(method, run, onCall);
    } catch (fault) {
      if (!(fault instanceof SlackRateLimited)) throw fault;
      throw new SlackUnanswered(method, { maybeApplied: false, why: "Slack asks to slow down", cause: fault });
    }
  }

  async function readPerson(user: string): Promise<Person> {
    const { user: found } = await once("users.info", () => client.users.info({ user }));
    if (!found) throw new SlackRefused("users.info", "user_not_found");
    const home = found.team_id === undefined || found.team_id === workspace.team || isOfEnterprise(found);
    const guest = found.is_restricted === true || found.is_ultra_restricted === true;
    return {
      id: user,
      name: found.profile?.display_name || found.real_name || found.name || user,
      admin: found.is_admin === true || found.is_owner === true,
      outsider: found.is_stranger === true || !home ? "other organisation" : guest ? "guest" : null,
      deleted: found.deleted === true,
      zone: found.tz || "UTC",
    };
  }

  function isOfEnterprise({ enterprise_user: of }: { enterprise_user?: { enterprise_id?: string } }): boolean {
    return workspace.enterprise !== null && of?.enterprise_id === workspace.enterprise;
  }

  async function readChannel(id: string): Promise<Channel> {
    try {
      const { channel } = await once("conversations.info", () => client.conversations.info({ channel: id }));
      if (!channel) throw new SlackRefused("conversations.info", "no_channel");
      const shared = channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
      return { id, direct: channel.is_im === true, shared, member: channel.is_member === true, known: true };
    } catch (error) {
      // A private channel without the app is not told apart from none at all: nothing can be posted there.
      if (error instanceof SlackRefused && error.reason === "channel_not_found")
        return { id, direct: false, shared: false, member: false, known: true };
      throw error;
    }
  }

  return {
    person: (user, options) => people.recall(user, () => readPerson(user), options),
    async channel(id) {
      if (id.startsWith("D")) return { id, direct: true, shared: false, member: true, known: true };
      try {
        return await channels.recall(id, () => readChannel(id));
      } catch (error) {
        log.warn({ err: error, channel: id }, "Slack does not tell who reads a channel, so nothing is posted in it");
        return { id, direct: false, shared: true, member: false, known: false };
      }
    },
    forget: people.forget,
  };
}
