import { hash, randomBytes, randomUUID } from "node:crypto";
import * as z from "zod";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, deleting } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import type { Link, Links } from "./link.ts";

/**
 * An agent of a member: a program that reads with the member's keys and proposes acts to them. It is found by the hash of its token, which
 * is stored nowhere.
 */
export const Agent = z.object({
  v: z.literal(1),
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
export const mostAgents = 10;

const agentRecords = defineKind({ name: "agent", namespace: "agents", schema: Agent, version: 1 });
/** The agent of each token, by the token's hash. */
const tokens = defineKind({ name: "token of an agent", namespace: "agent-tokens", schema: z.string() });
const allIndex = "agents";
const ofMember = (member: string) => `agents-of:${member}`;

/** Stores the agent and returns its token, which nobody can read again. Null if the member has an agent of that name. */
export async function createAgent(
  app: TimedApp,
  wanted: NewAgent,
  links: Links,
): Promise<{ agent: Agent; token: string } | null> {
  const now = app.clock.now();
  const known = await agentsOf(app, wanted.member);
  if (known.some(({ name }) => name === wanted.name)) return null;
  const token = `${prefix}${randomBytes(32).toString("base64url")}`;
  const keys = [links.customer, links.reseller].flatMap((link) => (link ? [keyOf(link)] : []));
  const agent: Agent = {
    ...wanted,
    v: 1,
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
  const index = [
    { name: allIndex, member: agent.id, score: now },
    { name: ofMember(agent.member), member: agent.id, score: now },
  ];
  await app.store.transact({
    records: [creating(agentRecords, agent.id, agent), creating(tokens, agent.hash, agent.id)],
    index,
  });
  return { agent, token };
}

/** The agent of a token for this endpoint that is neither removed nor expired; null for any other text. */
export async function agentOfToken(app: TimedApp, token: string, endpoint: string): Promise<Agent | null> {
  if (!tokenForm.test(token)) return null;
  const digest = hash("sha256", token);
  const id = await app.store.keyv(tokens).get(digest);
  const agent = id === undefined ? null : await readAgent(app, id);
  if (agent?.hash !== digest) return null;
  return agent.endpoint === endpoint && app.clock.now() < agent.expiresAt ? agent : null;
}

export async function readAgent({ store }: StoreApp, id: string): Promise<Agent | null> {
  return (await store.keyv(agentRecords).get(id)) ?? null;
}

export async function agentsOf(app: StoreApp, member: string): Promise<Agent[]> {
  return listed(app, ofMember(member));
}

/** All agents of the workspace, for admins. */
export async function allAgents(app: StoreApp): Promise<Agent[]> {
  return listed(app, allIndex);
}

async function listed(app: StoreApp, index: string): Promise<Agent[]> {
  const { entries } = await app.store.index(index).range({ limit: 1_000 });
  const found = await Promise.all(entries.map(({ member: id }) => readAgent(app, id)));
  return found.filter((agent) => agent !== null);
}

export async function removeAgent({ store }: StoreApp, { id }: Pick<Agent, "id">): Promise<boolean> {
  for (;;) {
    const agent = await store.read(agentRecords, id);
    if (!agent.value) return false;
    const token = await store.read(tokens, agent.value.hash);
    const index = [allIndex, ofMember(agent.value.member)].map((name) => ({ name, member: id, score: null }));
    if (await store.transact({ records: [deleting(agent), deleting(token)], index })) return true;
  }
}

/** Changes the stored agent; null if it was removed. */
export async function changeAgent(
  { store }: StoreApp,
  id: string,
  change: (now: Agent) => Partial<Agent> | null,
): Promise<Agent | null> {
  const changed = await update(store, agentRecords, id, (now) => {
    const fields = now && change(now);
    return now && fields ? { ...now, ...fields } : undefined;
  });
  return changed ?? null;
}

/** The links that the agent may still use: those of its making, neither unlinked, nor replaced, nor overdue since. */
export function linksOf({ keys }: Agent, links: Links, isOverdue: (link: Link) => boolean): Links {
  const kept = <L extends Link>(link: L | null) =>
    link && !isOverdue(link) && keys.some((key) => key.keyId === link.keyId && key.linkedAt === link.linkedAt)
      ? link
      : null;
  return { ...links, customer: kept(links.customer), reseller: kept(links.reseller) };
}

function keyOf({ keyId, linkedAt }: Link) {
  return { keyId, linkedAt };
}
