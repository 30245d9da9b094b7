import type { Actor, Story } from "./story.ts";

/** All that Rackbell said to the actor alone: answers, direct messages, modals and Home. */
export function toldTo({ sees, modals, home }: Actor): string {
  const answers = ["#vault", "#ops"].flatMap((channel) => sees(channel).filter(({ ephemeralTo }) => ephemeralTo));
  return JSON.stringify([...answers, ...sees("dm"), ...modals(), home() ?? ""]);
}

/** Does something, and waits until `look` shows something new. */
export async function answered(
  { slack }: Pick<Story, "slack">,
  actor: Actor,
  act: () => Promise<unknown>,
  look: (actor: Actor) => string = toldTo,
): Promise<void> {
  const before = look(actor);
  await act();
  const isThere = () => look(actor) !== before && !look(actor).includes("One moment");
  await slack.until(isThere, `an answer to ${actor.user.name}`);
}
