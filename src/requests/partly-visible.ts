import { isDirect } from "../messages/origin.ts";
import { actions, type Block, button, context, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { withdrawAction } from "./actions.ts";
import { askedBy } from "./facets/agent/view.ts";
import { type Request, titleOf } from "./request.ts";
import { states } from "./states.ts";
import type { VisibleRequest } from "./visibility.ts";

/** Shows a request to a viewer who may not see all of it: without reason, loss and addresses, and without buttons that name them. */
export function partlyVisible({ request, visibility, may }: VisibleRequest): Block[] {
  const { id, state, createdAt, schedule, agent } = request;
  const { slackUser } = request.requester;
  const time = state === "scheduled" ? `${moment(schedule?.at ?? 0)} · ` : "";
  const lines =
    visibility === "named"
      ? [
          section(`*${titleOf(request)}* · ${time}${askedBy(request)} ${moment(createdAt)}`),
          context("The request was made in private. Only the people there and its approvers see its details."),
        ]
      : [
          section(
            `:lock: *A request of ${agent === null ? "" : "an agent of "}<@${slackUser}>* ${states[state].listed} · asked ${placeWords(request)}`,
          ),
        ];
  return [...lines, ...(may.has("withdraw") ? actions([button("Withdraw", withdrawAction, id)], `partly:${id}`) : [])];
}

/** Names the place of the request as the rest of a sentence: "in #vault". */
function placeWords({ origin }: Pick<Request, "origin">): string {
  if (origin.channel === null) return "on the Home tab";
  return isDirect(origin) ? "in direct messages" : `in <#${origin.channel}>`;
}

/** Warns that a list may be incomplete, with a leading space; empty if everything could be read. */
export function incompleteWords({ isIncomplete }: { isIncomplete: boolean }): string {
  return isIncomplete
    ? " Rackbell could not read everything that your keys list, so there may be more. Ask again in a moment."
    : "";
}

export function incompleteBlocks(page: { isIncomplete: boolean }): Block[] {
  return page.isIncomplete ? [context(incompleteWords(page).trim())] : [];
}
