import { actions, type Block, button, context, type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { listing } from "../../views/text.ts";
import { checkedThen } from "./planned-words.ts";
import type { Request } from "./request.ts";
import { moveAction, titleOf, withdrawAction } from "./view.ts";

/** What stands under a request while it waits for its time. */
export function plannedBlocks(request: Request, blockId = "planned"): Block[] {
  const { notice, mode } = request;
  // What stood under it while it was asked is over; of what nobody was asked, this is the first that is told.
  return [
    ...(notice !== null && mode === "none" ? [context(notice)] : []),
    context(checkedThen),
    ...actions(plannedButtons(request), blockId),
  ];
}

export function plannedButtons({ id }: Pick<Request, "id">) {
  return [button("Move…", moveAction, id), button("Withdraw", withdrawAction, id)];
}

/** One of those that wait for their time, in a list. */
export function plannedRow(request: Request): Block[] {
  const { id, planned, slackUser, approvals, consequence } = request;
  const approved = approvals.map(({ slackUser: by }) => `<@${by}>`);
  const by = approved.length > 0 ? `, approved by ${listing(approved)}` : "";
  const line = `*${titleOf(request)}* · ${moment(planned?.at ?? 0)} · asked by <@${slackUser}>${by}`;
  return [section(`${line}\n${consequence}`), ...actions(plannedButtons(request), `planned:${id}`)];
}

/** Says that its time has come, under the message that it belongs to. */
export function startMessage(request: Request): Message {
  const text = `:arrow_forward: ${titleOf(request)}: it starts now, as it was planned. All was found as it was decided.`;
  return { text, blocks: [section(text)] };
}

/** Says that it was moved, to who approved it above all. */
export function movedMessage({ slackUser, planned, approvals, state, mention }: Request): Message {
  const to = moment(planned?.at ?? 0);
  const words = planned?.movedFrom ? `moved it from ${moment(planned.movedFrom)} to ${to}` : `put it off until ${to}`;
  const again = state === "pending" ? " It must be approved for that time, and is not done before." : "";
  const called = state === "pending" ? (mention ?? "") : approvals.map(({ slackUser: by }) => `<@${by}>`).join(" ");
  const text = `:calendar: <@${slackUser}> ${words}.${again} ${called}`.trim();
  return { text, blocks: [section(text)] };
}
