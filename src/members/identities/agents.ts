import { hash, randomBytes, randomUUID } from "node:crypto";
import * as z from "#zod";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { creating, deleting, replacing } from "../../storage/record.ts";
import { update } from "../../storage/update.ts";
import { hasLink, type Link, type Links, linksIn } from "./link.ts";

/**
 * An agent of a member: a program that reads with the member's keys and proposes acts to them. It is found by the hash of its token, which
 * is stored nowhere.
 */
export const Agent = z.object({
  id: z.string(),
  /** SHA-256 of its token. */
  hash: z.string(),
  /** The member's own name for it; unique among the member's agents. */
  name: z.string(),
  member: z.string(),
  slackUser: z.string(),
  may: z.enum(["read", "propose"]),
  /** It reads and acts in these projects alone; null: wherever the member's keys can. */
  projects: z.array(z.object({ id: z.string(), name: z.string() })).nullable(),
  /** Its requests go here; null: to the member's direct messages. */
  channel: z.string().nullable(),
  /** The address that its token is for. A token of another deployment is worth nothing here. */
  endpoint: z.string(),
  /** The linked keys that it may use. It dies with them: a key that is linked anew has another id, or another time of linking. */
  keys: z.array(z.object({ keyId: z.string(), linkedAt: z.number() })),
  createdAt: z.number(),
  expiresAt: z.number(),
  usedAt: z.number().nullable(),
  /** The name that its program gave itself at the last call. */
  client: z.string().nullable(),
  /**
   * Its proposals, oldest first, with the request of each: of the last hour, and those that still wait. `as`: another key was answered
   * with the same request.
   */
  proposed: z.array(
    z.object({
      at: z.number(),
      request: z.string(),
      as: z.object({ id: z.string(), digest: z.string() }).optional(),
    }),
  ),
  /** When its owner let it go on after denials: earlier denials no longer count. */
  resumedAt: z.number().nullable(),
  /** When its owner was notified that it is suspended. */
  suspendedAt: z.number().nullable(),
});
export type Agent = z.infer<typeof Agent>;

/** The settings that a member chooses for a new agent, and its endpoint. */
export type NewAgent = Pick<
  Agent,
  "name" | "member" | "slackUser" | "may" | "projects" | "channel" | "endpoint" | "expiresAt"
>;

/** Tells a token of ours from other texts, for people and secret scanners. */
const prefix = "rba_";
const tokenForm = /^rba_[A-Za-z0-9_-]{43}$/;
/** Agents of a member. */
export const mostAgents = 10;

const agentRecords = defineKind({ name: "agent", namespace: "agents", schema: Agent });
/** The agent of each token, by the token's hash. */
const tokens = defineKind({ name: "token of an agent", namespace: "agent-tokens", schema: z.string() });
/** The agent that a member made last. */
const lastAgents = defineKind({ name: "last agent of a member", namespace: "last-agents", schema: z.string() });
const allIndex = "agents";
const ofMember = (member: string) => `agents-of:${member}`;
const indexesOf = ({ member }: Pick<Agent, "member">) => [allIndex, ofMember(member)];

/**
 * Stores the agent and returns its token, which nobody can read again. Nothing is stored if the member has an agent of that name, or as
 * many as are kept.
 */
export async function createAgent(
  app: TimedApp,
  wanted: NewAgent,
  links: Links,
): Promise<{ agent: Agent; token: string } | "name taken" | "too many"> {
  for (;;) {
    const last = await app.store.read(lastAgents, wanted.member);
    const known = await readAgents(app, wanted.member);
    if (known.some(({ name }) => name === wanted.name)) return "name taken";
    if (known.length >= mostAgents) return "too many";
    const made = newAgent(wanted, links, app.clock.now());
    const { agent } = made;
    const ttlMs = agent.expiresAt - agent.createdAt;
    const records = [
      creating(agentRecords, agent.id, agent, ttlMs),
      creating(tokens, agent.hash, agent.id, ttlMs),
      // Of two that are made at once, both count the others before either is stored: this record lets one through.
      replacing(last, agent.id),
    ];
    const index = indexesOf(agent).map((name) => ({ name, member: agent.id, score: agent.createdAt }));
    if (await app.store.transact({ records, index })) return made;
  }
}

function newAgent(wanted: NewAgent, links: Links, now: number): { agent: Agent; token: string } {
  const token = `${prefix}${randomBytes(32).toString("base64url")}`;
  const keys = linksIn(links).map(keyOf);
  const agent: Agent = {
    ...wanted,
    id: randomUUID(),
    hash: hash("sha256", token),
    keys,
    createdAt: now,
    usedAt: null,
    client: null,
    proposed: [],
    resumedAt: null,
    suspendedAt: null,
  };
  return { agent, token };
}

/** The agent of a token that is served here; null for any other text. */
export async function agentOfToken(app: TimedApp, token: string, endpoint: string): Promise<Agent | null> {
  if (!tokenForm.test(token)) return null;
  const digest = hash("sha256", token);
  const id = await app.store.keyv(tokens).get(digest);
  const agent = id === undefined ? null : await readAgent(app, id);
  return agent?.hash === digest && isServed(agent, { endpoint, now: app.clock.now() }) ? agent : null;
}

/** True until it expires, at the address that its token is for. */
export function isServed(agent: Agent, { endpoint, now }: { endpoint: string; now: number }): boolean {
  return agent.endpoint === endpoint && now < agent.expiresAt;
}

export async function readAgent({ store }: StoreApp, id: string): Promise<Agent | null> {
  return (await store.keyv(agentRecords).get(id)) ?? null;
}

export async function readAgents(app: TimedApp, member: string): Promise<Agent[]> {
  return listed(app, ofMember(member));
}

/** All agents of the workspace, for admins. */
export async function allAgents(app: TimedApp): Promise<Agent[]> {
  return listed(app, allIndex);
}

/** An agent that has expired is removed: an index keeps the id of a record that has expired. */
async function listed(app: TimedApp, name: string): Promise<Agent[]> {
  const { entries } = await app.store.index(name).range({ limit: 1_000 });
  const found: Agent[] = [];
  for (const { member: id } of entries) {
    const agent = await readAgent(app, id);
    if (agent && app.clock.now() < agent.expiresAt) found.push(agent);
    else await app.store.transact({ records: [], index: [{ name, member: id, score: null }] });
  }
  return found;
}

export async function removeAgent({ store }: StoreApp, { id }: Pick<Agent, "id">): Promise<boolean> {
  for (;;) {
    const agent = await store.read(agentRecords, id);
    if (!agent.value) return false;
    const token = await store.read(tokens, agent.value.hash);
    const index = indexesOf(agent.value).map((name) => ({ name, member: id, score: null }));
    if (await store.transact({ records: [deleting(agent), deleting(token)], index })) return true;
  }
}

/** Removes the member's agents that none of these links serves: no key that is linked later lets them in again. */
export async function removeUnlinkedAgents(app: TimedApp, links: Links): Promise<void> {
  for (const agent of await readAgents(app, links.member))
    if (!hasLink(agentLinks(agent, links, () => false))) await removeAgent(app, agent);
}

/** Changes the stored agent; null if it was removed. */
export async function changeAgent(
  { store, clock }: TimedApp,
  id: string,
  change: (now: Agent) => Partial<Agent> | null,
): Promise<Agent | null> {
  const changed = await update(
    store,
    agentRecords,
    id,
    (now) => {
      const fields = now && change(now);
      return now && fields ? { ...now, ...fields } : undefined;
    },
    ({ expiresAt }) => expiresAt - clock.now(),
  );
  return changed ?? null;
}

/** The links that the agent may still use: those of its making, neither unlinked, nor replaced, nor overdue since. */
export function agentLinks({ keys }: Agent, links: Links, isOverdue: (link: Link) => boolean): Links {
  const kept = <L extends Link>(link: L | null) =>
    link && !isOverdue(link) && keys.some((key) => key.keyId === link.keyId && key.linkedAt === link.linkedAt)
      ? link
      : null;
  return { ...links, customer: kept(links.customer), reseller: kept(links.reseller) };
}

function keyOf({ keyId, linkedAt }: Link) {
  return { keyId, linkedAt };
}
