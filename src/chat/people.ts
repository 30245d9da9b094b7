import type { WebClient } from "@slack/web-api";
import type { Clock } from "../clock.ts";

/** A person as Slack knows them now. */
export interface Person {
  id: string;
  name: string;
  /** Runs the workspace: admin or owner. */
  admin: boolean;
  /** A guest, or somebody of another organisation: may neither link nor press. */
  outsider: "guest" | "other organisation" | null;
  deleted: boolean;
}

/** What the app may do in a conversation. */
export interface Channel {
  id: string;
  direct: boolean;
  /** Another organisation reads along. */
  shared: boolean;
  /** False also when it cannot be told: a private channel without the app. */
  member: boolean;
}

export interface People {
  /** `fresh` asks Slack again, for rights that must be live. */
  person(user: string, options?: { fresh?: boolean }): Promise<Person>;
  channel(id: string): Promise<Channel>;
  /** Forgets what was remembered of a user or a channel. */
  forget(id: string): void;
}

const personLife = 5 * 60_000;
const channelLife = 60_000;
const most = 5_000;

export function createPeople({ client, clock, team }: { client: WebClient; clock: Clock; team: string }): People {
  const people = createMemory<Person>(clock, personLife);
  const channels = createMemory<Channel>(clock, channelLife);

  async function readPerson(user: string): Promise<Person> {
    const { user: found } = await client.users.info({ user });
    if (!found) throw new Error("Slack does not know this user");
    const stranger = found.is_stranger === true || (found.team_id !== undefined && found.team_id !== team);
    const guest = found.is_restricted === true || found.is_ultra_restricted === true;
    return {
      id: user,
      name: found.profile?.display_name || found.real_name || found.name || user,
      admin: found.is_admin === true || found.is_owner === true,
      outsider: stranger ? "other organisation" : guest ? "guest" : null,
      deleted: found.deleted === true,
    };
  }

  async function readChannel(id: string): Promise<Channel> {
    const direct = id.startsWith("D");
    if (direct) return { id, direct, shared: false, member: true };
    try {
      const { channel } = await client.conversations.info({ channel: id });
      const shared = channel?.is_ext_shared === true || channel?.is_pending_ext_shared === true;
      return { id, direct: channel?.is_im === true, shared, member: channel?.is_member === true };
    } catch {
      // A private channel without the app is not told apart from none at all: nothing is posted there.
      return { id, direct, shared: false, member: false };
    }
  }

  return {
    person: (user, { fresh = false } = {}) => people.recall(user, fresh, readPerson),
    channel: (id) => channels.recall(id, false, readChannel),
    forget(id) {
      people.forget(id);
      channels.forget(id);
    },
  };
}

function createMemory<T>(clock: Clock, life: number) {
  const kept = new Map<string, { at: number; value: T }>();
  return {
    async recall(id: string, fresh: boolean, read: (id: string) => Promise<T>): Promise<T> {
      const known = kept.get(id);
      if (known && !fresh && clock.now() - known.at < life) return known.value;
      const value = await read(id);
      if (kept.size >= most) kept.clear();
      kept.set(id, { at: clock.now(), value });
      return value;
    },
    forget: (id: string) => kept.delete(id),
  };
}
