import * as z from "#zod";
import { requireSession } from "../../members/access/access.ts";
import { type ChannelDefault, readChannelDefault, setChannelDefault } from "../../members/settings/channel-defaults.ts";
import { matchStates } from "../../messages/answers/filters.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { fieldsOf } from "../../operation/fields.ts";
import { listProjects } from "../../platform/customer/projects.ts";
import { moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { findProject } from "../project/project.ts";

const command = "rackbell channel";

/** Examples of the platform's states of orders, as the list of orders names them: the spec names none. */
const orderStates = ["pending", "completed"];

/** The word that clears the channel's default. */
const none = "none";

export const channelDefault = defineAppOperation({
  command,
  summary: "Show the project and filters that lists and names typed in this channel start with; admins set them",
  example: "/rackbell channel",
  admins: "to change",
  routes: ["GET /projects"],
  verb: "Set channel defaults",
  input: z.object({
    project: z.string().max(80).optional().meta({
      title: "Project",
      description: "For admins: its name, slug or id; none to clear it",
    }),
    status: z.string().max(40).optional().meta({
      title: "Status",
      description: "For admins: such as running; none to clear it",
    }),
    sort: z.enum(["name", "state", "project", none]).optional().meta({
      title: "Sorted by",
      description: "For admins: none to clear it",
    }),
  }),
  async run({ context, actor, note, channel, input, now }) {
    if (channel === null || channel.startsWith("D"))
      throw new Refusal("A default belongs to a channel: type this in the one that is meant. Nothing changed.");
    const before = await readChannelDefault(context, channel);
    const { project, status, sort } = input;
    if ([project, status, sort].every((value) => value === undefined)) return shown(before, channel);
    const wanted: ChannelDefault = {
      project: project === undefined ? (before?.project ?? null) : await projectNamed(context, actor, project),
      status: changed(knownStatus(context, status), before?.status),
      sort: changed(sort, before?.sort),
      by: actor.slackUser,
      at: now,
    };
    await setChannelDefault(context, channel, wanted);
    const outcome = settingWords(wanted, channel);
    await note("channel default set", outcome);
    return { text: `${outcome} In effect now, for everybody in this channel.`, next: stepsFor(wanted) };
  },
});

function shown(found: ChannelDefault | null, channel: string): Answer {
  if (!found)
    return {
      text: `<#${channel}> has no default project: lists and names typed here cover all projects. An admin sets one with \`/rackbell channel project=…\`.`,
    };
  const rule =
    "A value in a command comes first. `project=all` looks everywhere. Your own project (`/project use`) comes before the channel's.";
  return {
    text: `${settingWords(found, channel)} ${rule} Set by <@${found.by}> ${moment(found.at)}.`,
    next: stepsFor(found),
  };
}

function settingWords({ project, status, sort }: ChannelDefault, channel: string): string {
  const filters = [
    ...(status === null ? [] : [`status ${prose(status, 40)}`]),
    ...(sort === null ? [] : [`sorted by ${sort}`]),
  ];
  const parts = [
    ...(project ? [`Lists and names typed in <#${channel}> start in project ${code(project.name)}.`] : []),
    ...(filters.length > 0 ? [`Lists typed in <#${channel}> start with ${listing(filters)}.`] : []),
  ];
  return parts.length > 0 ? parts.join(" ") : `<#${channel}> has no default any more.`;
}

function stepsFor({ project, status, sort }: ChannelDefault): Step[] {
  const set = [project, status, sort].some((value) => value !== null);
  const input = { project: none, status: none, sort: none };
  return set ? [{ label: "Clear it", command, input, replace: true }] : [];
}

function changed(given: string | undefined, before: string | null | undefined): string | null {
  if (given === undefined) return before ?? null;
  return given.trim().toLowerCase() === none ? null : given.trim();
}

/** A status that some list here can filter by: with any other, every list would pass the default over without a word. */
function knownStatus({ registry }: AppContext, typed: string | undefined): string | undefined {
  if (typed === undefined || typed.trim().toLowerCase() === none) return typed;
  if (typed.trim() === "") throw wrongInput("status", "give one such as running, or none to clear it.", "Status");
  const lists = registry.all.filter(({ api }) => api === "customer");
  const states = lists.flatMap((operation) => [
    ...(operation.target?.states ?? []),
    ...fieldsOf(operation.input).flatMap(({ name, options }) => (name === "status" ? options : [])),
  ]);
  matchStates(typed, [], [...states, ...orderStates]);
  return typed;
}

/** The project that the admin typed, found with the admin's own key. */
async function projectNamed(context: AppContext, actor: Actor, typed: string): Promise<ChannelDefault["project"]> {
  if (typed.trim().toLowerCase() === none) return null;
  const { client } = await requireSession(context, actor.member, "customer");
  const { id, name } = findProject(await listProjects(client.in(null)), typed.trim());
  return { id, name };
}
