import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { fillIn } from "../simulation/moves.ts";
import type { Actor, Message, Story } from "./story.ts";

/** Types a command, fills in the forms that come, and waits for a new message with the button; null: for any answer. */
export async function carry(
  story: Story,
  actor: Actor,
  typed: string,
  button: string | null,
  values: Parameters<typeof fillIn>[3],
): Promise<Message> {
  const before = new Set(actor.sees().map(({ ts }) => ts));
  const used = new Set<string>();
  await actor.type(typed);
  for (;;) {
    const isAnswer = (one: Message) =>
      !before.has(one.ts) && (button === null || controlsOf(one.blocks).some(({ action_id: id }) => id === button));
    const next = await story.slack.until(() => {
      const view = actor.modal();
      if (view?.submit && !used.has(`${view.id} ${view.hash}`)) return { view };
      const answer = actor.sees().find(isAnswer);
      return answer && { answer };
    }, `an answer to ${typed}`);
    if ("answer" in next) return next.answer;
    used.add(`${next.view.id} ${next.view.hash}`);
    await fillIn(actor, next.view, "made-here", values);
  }
}
