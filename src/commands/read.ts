import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { readWatches } from "../alerts/watches/watch.ts";
import { readFavourites, resourceText } from "../members/resources/favourites.ts";
import { withNamesNow } from "../members/resources/stored-names.ts";
import { openAnswer, privateAnswer, projectWords, withProjectNote } from "../messages/answers/answers.ts";
import { servicePage } from "../messages/answers/buttons.ts";
import { offerTo } from "../messages/answers/offer.ts";
import { answerPart } from "../messages/answers/parts.ts";
import { isDirect, type Origin } from "../messages/origin.ts";
import { offerSecrets, secretTitle } from "../messages/secrets.ts";
import type { Act } from "../operation/act.ts";
import type { Answer, Json, Step } from "../operation/answer.ts";
import type { Actor } from "../operation/call-context.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { maintenanceLine, readWindows } from "../policy/maintenance-windows/windows.ts";
import { readPolicy } from "../policy/policy.ts";
import { protectedRows, protectionLine } from "../policy/protection/protection.ts";
import { runReading } from "../requests/ask.ts";
import type { Store } from "../storage/store.ts";
import { code } from "../views/text.ts";
import type { App } from "./app.ts";
import type { DefaultedInvocation } from "./channel-default.ts";

/** Runs a read and shows the answer to the requester, or to the channel if they said so. */
export async function read(
  app: App,
  { bound, invocation, within, note }: DefaultedInvocation,
  act: Act,
  origin: Origin,
) {
  const { registry, reply } = app;
  const { operation, actor, links } = bound;
  const answer = withWayOut(await runReading(app.requests, { bound, act, origin }), invocation, within);
  if (answer.file) return reply.file(origin, answer.file, note === null ? answer.text : `${answer.text} ${note}`);
  if (invocation.reveal) return answerSecrets(app, act, answer, origin);
  // The next steps use the id, because the name may belong to another resource by then.
  const pinned = act.target ? { ...invocation, target: act.target.id } : invocation;
  if (invocation.share && !operation.personal) {
    const lead = `<@${origin.slackUser}> shows ${code(operation.command)}${projectWords(actor.project)}:`;
    await reply.inChannel(origin, openAnswer(lead, answerPart(answer, pinned).answer, []));
    if (origin.view !== null) await reply.say(origin, `It is shown in <#${origin.channel}>.`);
    return;
  }
  const keep = invocation.details ? [] : await cardSteps(app, origin.member, { operation, act });
  const whole = { ...answer, next: [...(answer.next ?? []), ...keep] };
  const shown = privateAnswer(whole, {
    offer: offerTo(links, registry),
    name: act.target?.name ?? "",
    invocation: pinned,
    page: panelPage(app, operation, act),
    shareLabel: operation.personal ? null : shareLabelIn(origin),
  });
  const message = withProjectNote(shown, actor.project, await readNotes(app, act, answer.rows ?? [], { actor, note }));
  await reply.ephemeral(origin, message, { replace: invocation.replace === true });
}

/** The lines under the answer: the protections and maintenance windows of what it shows, then `note`. `rows`: the ids of a list. */
async function readNotes(
  app: App,
  { target }: Act,
  rows: readonly string[],
  { actor, note }: { actor: Actor; note: string | null },
) {
  const { protections } = await readPolicy(app);
  const own = protections.find(({ id }) => id === target?.id);
  const listed = protections.filter(({ id }) => rows.includes(id));
  const lines = [
    own ? protectionLine(own) : protectedRows(await withNamesNow(app, actor.member, listed)),
    maintenanceLine(target ? await readWindows(app, target.id) : [], app.clock.now()),
    note,
  ];
  return lines.filter((line) => line !== null).join("\n") || null;
}

/** Secrets are read again for each press of Reveal, and stored as long as every one-time secret. */
async function answerSecrets(app: App, { target }: Act, { secrets = [] }: Answer, origin: Origin): Promise<void> {
  const { reply } = app;
  if (secrets.length === 0) return reply.say(origin, "There is nothing secret in it any more.");
  await offerSecrets(app, randomUUID(), origin, secretTitle(secrets, target?.name ?? ""), secrets);
  await reply.say(origin, "It is in your direct messages with me, behind *Reveal*.");
}

/** An empty result in the channel's project offers a search in all projects. */
function withWayOut(answer: Answer, { command, input }: Invocation, within: DefaultedInvocation["within"]): Answer {
  if (within === null || answer.empty !== true) return answer;
  const everywhere: Record<string, Json> = { project: "all" };
  for (const [name, value] of Object.entries(input)) everywhere[name] ??= z.json().parse(value);
  return {
    ...answer,
    text: `${answer.text} I looked in project ${code(within.name)} only, this channel's default.`,
    next: [{ label: "Look everywhere", command, input: everywhere, replace: true }],
  };
}

/** The panel's page of the target, if its address is configured. */
function panelPage({ panel }: App, { target }: PlatformOperation, act: Act): string | null {
  if (!target?.inPanel || !panel.serviceUrl || !act.target) return null;
  return servicePage(panel.serviceUrl, act.target.id);
}

/** The label of the share button; null where nobody else would see the answer. */
function shareLabelIn(origin: Origin): string | null {
  if (origin.channel === null || isDirect(origin)) return null;
  return origin.thread === null ? "Show to channel" : "Show here";
}

/** Favourite, watch and protection buttons for a resource's details; none for any other answer. */
async function cardSteps(
  app: { store: Store },
  member: string,
  { operation, act }: { operation: PlatformOperation; act: Act },
): Promise<Step[]> {
  const { target, command } = operation;
  if (!target?.card || !act.target || !command.endsWith(" show")) return [];
  const { id } = act.target;
  const input = { thing: resourceText(target.card, id) };
  const starred = (await readFavourites(app, member)).some((each) => each.id === id);
  const isProtected = (await readPolicy(app)).protections.some((each) => each.id === id);
  const watched = (await readWatches(app, member)).some((each) => each.target.id === id);
  return [
    starred
      ? { label: "Remove from favourites", command: "rackbell star", input: { ...input, remove: true } }
      : { label: "Add to favourites", command: "rackbell star", input },
    watched
      ? { label: "Stop watching", command: "rackbell watch", input: { ...input, stop: true } }
      : { label: "Watch", command: "rackbell watch", input },
    ...(isProtected ? [] : [{ label: "Protect", command: "rackbell protect", input }]),
  ];
}
