import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { Answer, Json } from "../operation/answer.ts";
import type { Act, Invocation, PlatformOperation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { code } from "../views/text.ts";
import { narrowedAnswer, noticeMessage, openAnswer, privateAnswer, projectWords } from "./answers/answers.ts";
import { offerTo } from "./answers/offer.ts";
import { isDirect, type Origin } from "./answers/origin.ts";
import { partOf } from "./answers/parts.ts";
import type { Reply } from "./answers/reply.ts";
import type { AppContext } from "./app-context.ts";
import type { Narrowed } from "./narrowing.ts";
import { cardSteps } from "./things/card-steps.ts";
import { maintenanceLine } from "./windows/words.ts";

/** Carries out what only reads, and shows it to who asked, or to the channel where they said so. */
export type Read = (meant: Narrowed, act: Act, origin: Origin) => Promise<void>;

export function createRead(deps: { registry: Registry; context: AppContext; reply: Reply; clock: Clock }): Read {
  const { registry, context, reply, clock } = deps;
  /** What is said under the answer: that work on the thing is planned, above all. */
  async function notesOf({ target }: Act, note: string | null): Promise<string | null> {
    const windows = target ? await context.windows.of(target.id) : [];
    const lines = [maintenanceLine(windows, clock.now()), note].filter((line) => line !== null);
    return lines.length > 0 ? lines.join("\n") : null;
  }

  return async ({ bound, invocation, within, note }, act, origin) => {
    const { operation, actor, links } = bound;
    const answer = withWayOut(await act.run(), invocation, within);
    if (answer.file) return reply.file(origin, answer.file, note === null ? answer.text : `${answer.text} ${note}`);
    // What is asked of it next is about the thing itself, wherever a name would lead.
    const pinned = act.target ? { ...invocation, target: act.target.id } : invocation;
    if (invocation.share && !operation.personal) {
      const lead = `<@${origin.slackUser}> shows ${code(operation.command)}${projectWords(actor.project)}:`;
      await reply.inChannel(origin, openAnswer(lead, partOf(answer, pinned).answer, []));
      if (origin.view !== null) await reply.ephemeral(origin, noticeMessage(`It is shown in <#${origin.channel}>.`));
      return;
    }
    const keep = await cardSteps(context, origin.member, { operation, act });
    const whole = { ...answer, next: [...(answer.next ?? []), ...keep] };
    const shown = privateAnswer(whole, {
      offer: offerTo(links, registry),
      name: act.target?.name ?? "",
      invocation: pinned,
      page: panelPage(context, operation, act),
      shareLabel: operation.personal ? null : shareLabelIn(origin),
    });
    const message = narrowedAnswer(shown, actor.project, await notesOf(act, note));
    await reply.ephemeral(origin, message, { replace: invocation.replace === true });
  };
}

/** Nothing in the channel's project says little of what there is elsewhere. */
function withWayOut(answer: Answer, { command, input }: Invocation, within: Narrowed["within"]): Answer {
  if (within === null || answer.empty !== true) return answer;
  const everywhere: Record<string, Json> = { project: "all" };
  for (const [name, value] of Object.entries(input)) everywhere[name] ??= z.json().parse(value);
  return {
    ...answer,
    text: `${answer.text} I looked in project ${code(within.name)} only, this channel's default.`,
    next: [{ label: "Look everywhere", command, input: everywhere, replace: true }],
  };
}

/** Where the panel shows what was acted on, where that is known. */
function panelPage({ panel }: AppContext, { target }: PlatformOperation, act: Act): string | null {
  if (!target?.inPanel || !panel.serviceUrl || !act.target) return null;
  return panel.serviceUrl.replaceAll("{id}", encodeURIComponent(act.target.id));
}

/** In whose view it would be; null where nobody else is. */
function shareLabelIn(origin: Origin): string | null {
  if (origin.channel === null || isDirect(origin)) return null;
  return origin.thread === null ? "Show to channel" : "Show here";
}
