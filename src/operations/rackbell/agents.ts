import * as z from "#zod";
import { isOverdue } from "../../members/access/access.ts";
import {
  type Agent,
  agentLinks,
  allAgents,
  changeAgent,
  createAgent,
  isServed,
  mostAgents,
  readAgents,
  removeAgent,
} from "../../members/identities/agents.ts";
import { hasLink } from "../../members/identities/link.ts";
import { changeSettings, readSettings } from "../../members/settings/settings.ts";
import { isAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { matchingChoices } from "../../operation/input.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { isMember } from "../../requests/visibility.ts";
import { type Block, section } from "../../views/blocks.ts";
import { moment, momentAgo } from "../../views/format.ts";
import { code, count, listing } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { projectChoice } from "../project/project.ts";
import { findTypedChannel } from "./admin.ts";

const dayMs = 24 * 60 * 60_000;
const mostDays = 90;
const listStep = { label: "My agents", command: "rackbell agents" };

const agentName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9-]{0,29}$/, "up to 30 small letters, digits and hyphens, such as claude.");

export const agentNew = defineAppOperation({
  command: "rackbell agent new",
  synonyms: ["agent add", "agent create"],
  summary: "Make a token for an agent: it reads with your keys, and proposes what you then decide",
  example: "/rackbell agent new laptop may=propose",
  verb: "Add an agent",
  group: "access",
  input: z.object({
    name: agentName.meta({ title: "Name", description: "People read it beside its requests: claude, night-watch" }),
    may: z
      .enum(["read", "propose"])
      .meta({ title: "May", description: "read: it only reads; propose: it also makes requests, which people decide" }),
    projects: z.string().max(500).optional().meta({
      title: "Only in these projects",
      description: "Names with commas between them. Empty: wherever your keys can",
    }),
    channel: z.string().optional().meta({
      title: "Channel of its requests",
      description: "Empty: your direct messages with Rackbell",
      format: "channel",
    }),
    days: z
      .number()
      .int()
      .min(1)
      .max(mostDays)
      .default(30)
      .meta({ title: "Valid for so many days", description: `At most ${mostDays}` }),
  }),
  positional: "name",
  async run({ context, actor, note, input, now }): Promise<Answer> {
    const endpoint = requireAgents(context);
    const links = await context.identities.links(actor.member);
    if (!hasLink(links)) throw new Refusal("Link your key first: an agent uses it. `/rackbell link` does that.");
    const channel = input.channel ? await ownChannel(context, actor, input.channel) : null;
    const projects = await projectsNamed(input.projects, context, actor);
    const made = await createAgent(
      context,
      {
        name: input.name,
        member: actor.member,
        slackUser: actor.slackUser,
        may: input.may,
        projects,
        channel,
        endpoint,
        expiresAt: now + input.days * dayMs,
      },
      links,
    );
    if (made === "name taken") throw wrongInput("name", "You have an agent of this name. Choose another one.");
    if (made === "too many")
      throw new Refusal(`You have ${mostAgents} agents, and no more are kept. Remove one first.`, [listStep]);
    const may = [`may ${input.may}`, ...placeWords(projects)].join(" ");
    await note("agent added", `Added the agent ${code(input.name)}. It ${may}.`);
    return {
      text: `:robot_face: The agent ${code(input.name)} is ready. It ${may} until ${moment(made.agent.expiresAt)}. Its token is in your direct messages with me, behind *Reveal*.`,
      secrets: [{ label: `Token of ${input.name}`, value: made.token }],
      next: [listStep],
    };
  },
});

const off = ":double_vertical_bar: An admin switched all agents off.";

export const agents = defineAppOperation({
  command: "rackbell agents",
  synonyms: ["agent list", { words: "agent resume", positional: "resume", renamed: { name: "resume" } }],
  summary: "List your agents; admins see everybody's, and switch all agents off, or on again",
  example: "/rackbell agents",
  admins: ["turn"],
  verb: "List agents",
  group: "access",
  input: z.object({
    turn: z.enum(["off", "on"]).optional().meta({ title: "All agents", description: "For admins: off or on" }),
    resume: agentName.optional().meta({ title: "Resume", description: "The name of an agent of yours" }),
  }),
  positional: "turn",
  async run({ context, actor, note, input: { turn, resume }, now }): Promise<Answer> {
    if (turn !== undefined) return { text: await switchAgents(context, note, turn), next: [listStep] };
    if (resume !== undefined) return resumeAgent(context, actor, note, { name: resume, now });
    return listAgents(context, actor, now);
  },
});

async function listAgents(context: AppContext, actor: Actor, now: number): Promise<Answer> {
  const here = { endpoint: requireAgents(context), now };
  const admin = await isAdmin(context, actor.slackUser);
  const own = await readAgents(context, actor.member);
  const others = admin ? (await allAgents(context)).filter(({ member }) => member !== actor.member) : [];
  const { agentsOff } = await readSettings(context);
  const make = { label: "Add an agent…", command: "rackbell agent new", form: true } as const;
  const flip: Step = agentsOff
    ? { label: "Switch all on", command: "rackbell agents", input: { turn: "on" } }
    : { label: "Switch all off", command: "rackbell agents", input: { turn: "off" }, style: "danger" };
  const next = [make, flip];
  if (own.length + others.length === 0)
    return { text: ["There are no agents yet.", ...(agentsOff ? [off] : [])].join(" "), next };
  const text = `*${count(own.length, "agent")} of yours*${admin ? `, ${others.length} of others` : ""}.`;
  const rows: Block[] = [];
  for (const agent of own)
    rows.push(...rowBlocks(await agentLine(context, agent, here), agent.id, agentSteps(agent), context.registry.find));
  for (const agent of others) rows.push(section(await agentLine(context, agent, here)));
  return { text, blocks: [section(text), ...(agentsOff ? [section(off)] : []), ...rows], next };
}

/** The buttons of an agent in the list of its member. */
function agentSteps({ name, suspendedAt }: Agent): Step[] {
  const asks = {
    act: plainly`Remove the agent ${name}`,
    loss: `The token of ${code(name)} is worth nothing from then on.`,
  };
  return [
    ...(suspendedAt === null ? [] : [{ label: "Resume", command: "rackbell agents", input: { resume: name } }]),
    { label: "Remove…", command: "rackbell agent remove", input: { name }, asks },
  ];
}

async function agentLine(context: AppContext, agent: Agent, here: { endpoint: string; now: number }): Promise<string> {
  const { name, may, projects, channel, slackUser, expiresAt, usedAt, client, suspendedAt } = agent;
  const links = await context.identities.links(agent.member);
  const isDead = !isServed(agent, here) || !hasLink(agentLinks(agent, links, (link) => isOverdue(context, link)));
  const state = isDead ? "dead" : suspendedAt === null ? "works" : "suspended after denials";
  const parts = [
    `of <@${slackUser}>`,
    `may ${may}`,
    ...placeWords(projects),
    channel === null ? "requests in direct messages" : `requests in <#${channel}>`,
    usedAt === null
      ? "never used"
      : `last used ${momentAgo(usedAt)}${client === null ? "" : ` by ${code(client, 40)}`}`,
    `until ${moment(expiresAt)}`,
  ];
  return `:robot_face: ${code(name)} *${state}* · ${parts.join(" · ")}`;
}

/** The projects that an agent is confined to. */
function placeWords(projects: Agent["projects"]): string[] {
  return projects === null ? [] : [`in ${listing(projects.map((project) => code(project.name)))}`];
}

export const agentRemove = defineAppOperation({
  command: "rackbell agent remove",
  synonyms: ["agent delete", "agent revoke"],
  summary: "End an agent of yours: its token is worth nothing from then on",
  example: "/rackbell agent remove laptop",
  verb: "Remove an agent",
  group: "access",
  input: z.object({ name: agentName.meta({ title: "Name", description: "As /rackbell agents shows it" }) }),
  positional: "name",
  async run({ context, actor, note, input }): Promise<Answer> {
    const agent = await ownAgent(context, actor, input.name);
    await removeAgent(context, agent);
    const outcome = `Removed the agent ${code(agent.name)}.`;
    await note("agent removed", outcome);
    return {
      text: `${outcome} Its token is worth nothing now. Its open requests stay: withdraw them if you do not want them. Rackbell asks you about acts that it scheduled by a rule, at their time.`,
      next: [listStep],
    };
  },
});

async function resumeAgent(
  context: AppContext,
  actor: Actor,
  note: Note,
  { name, now }: { name: string; now: number },
): Promise<Answer> {
  const agent = await ownAgent(context, actor, name);
  await changeAgent(context, agent.id, () => ({ resumedAt: now, suspendedAt: null }));
  const outcome = `The agent ${code(agent.name)} can propose again.`;
  await note("agent resumed", outcome);
  return { text: outcome, next: [listStep] };
}

/** Resolves to the sentence about it. */
export async function switchAgents(context: AppContext, note: Note, turn: "off" | "on"): Promise<string> {
  requireAgents(context);
  await changeSettings(context, { agentsOff: turn === "off" });
  const outcome =
    turn === "off" ? "All agents are switched off. Their calls are refused." : "Agents are switched on again.";
  await note(`agents ${turn}`, outcome);
  return outcome;
}

export function requireAgents({ agentsUrl }: AppContext): string {
  if (agentsUrl !== null) return agentsUrl;
  throw new Refusal("Agents are not switched on here. The operator of Rackbell sets `AGENTS=on`. Nothing changed.");
}

/** A channel that the member is in: elsewhere the agent would write to people whom its member cannot. */
async function ownChannel(context: AppContext, { slackUser }: Actor, typed: string): Promise<string> {
  const channel = await findTypedChannel(context, typed);
  if (await isMember(context.requests, channel, { slackUser })) return channel;
  throw wrongInput("channel", "You are not in that channel, or Slack does not say who is. Nothing was set.");
}

async function ownAgent(context: AppContext, { member }: Actor, name: string): Promise<Agent> {
  requireAgents(context);
  const found = (await readAgents(context, member)).find((agent) => agent.name === name);
  if (!found) throw wrongInput("name", "You have no agent of this name. /rackbell agents shows yours.");
  return found;
}

async function projectsNamed(
  typed: string | undefined,
  { identities }: AppContext,
  { member }: Actor,
): Promise<Agent["projects"]> {
  if (!typed?.trim()) return null;
  const names = typed
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  // An empty list of names would confine the agent to nothing, or to no project at all.
  if (names.length === 0)
    throw wrongInput("projects", "Write the name of a project, or leave this empty for all that your keys can see.");
  const session = await identities.session(member, "customer");
  if (!session) throw wrongInput("projects", "Only a customer key has projects, and you have linked none.");
  const choices = (await listProjects(session.client.in(null))).map(projectChoice);
  return names.map((name) => {
    const [only, second] = matchingChoices(name, choices);
    if (only && !second) return { id: only.value, name: characters(only.label) };
    throw wrongInput("projects", `${second ? "Several projects fit" : "There is no project"} “${name.slice(0, 80)}”.`);
  });
}
