import { operations } from "../../src/operations/index.ts";
import { commandIn, preparationOf, sellsOn } from "../examples.ts";
import { carry } from "./carry.ts";
import { startResellerStory } from "./reseller/selling.ts";
import { goAhead, type Message, type Story, type StoryOptions } from "./story.ts";

/** True if something must be done or arranged before the command. */
export function isPrepared(typed: string): boolean {
  const { given, first } = preparationOf(typed);
  return given !== undefined || first !== undefined;
}

/** Carries a command as ana with the values that its own forms need, or those of the command `of` that it prepares. */
export function carryPrepared(story: Story, typed: string, button: string | null, of = typed): Promise<Message> {
  return carry(story, story.ana, typed, button, preparationOf(of).values?.(story) ?? {});
}

/** Does what the command needs before it, in a workspace where ben approves what destroys. */
export async function prepareFor(story: Story, typed: string): Promise<void> {
  const { ana, ben } = story;
  const { given, first = [] } = preparationOf(typed);
  given?.(story);
  for (const one of first) {
    const risk = operations.find(({ command }) => command === commandIn(one))?.risk;
    const asks = risk === "spend" || risk === "destroy";
    const answer = await carryPrepared(story, one, asks ? goAhead : null, typed);
    if (asks)
      await story.pressing(risk === "spend" ? ana : ben, answer, goAhead, /:white_check_mark:|:x:|awaits payment/);
    story.clock.skip(60_000);
  }
}

/** The story in which ana types the command, and ben decides. */
export function startFor(typed: string, options: StoryOptions): Promise<Story> {
  return startResellerStory({
    linked: ["ana", "ben"],
    partners: sellsOn(typed) ? ["ana", "ben"] : [],
    connected: sellsOn(typed),
    ...options,
  });
}
