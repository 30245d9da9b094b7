import { goAhead, type Message, type Story, said } from "../story.ts";
import { startResellerStory } from "./selling.ts";

/** A story in which the supplier's events arrive, and #ops gets alerts of those that pass the filter. */
export async function startAlertStory(
  filter = "",
  options: Parameters<typeof startResellerStory>[0] = {},
): Promise<Story> {
  const story = await startResellerStory(options);
  const { ana, platform } = story;
  const check = await story.ask(ana, "/rackbell connect check", "has arrived here yet");
  const question = await story.pressing(ana, check, "Set webhook address…", "The address before gets no more events");
  await story.pressing(ana, question, goAhead, "Events now go to");
  if (filter !== "none") await story.ask(ana, `/rackbell alerts add #ops ${filter}`.trim(), "Saved");
  platform.clearCalls();
  return story;
}

/** The supplier's own doing, delivered. */
export async function supplierSuspends({ platform }: Story, name: string, why = "Too much mail"): Promise<string> {
  const service = platform.reseller.sold().find(({ hostname }) => hostname === name);
  platform.reseller.supplier.suspend(service?.id ?? "", why);
  await platform.reseller.webhooks.postDue();
  return service?.id ?? "";
}

export async function supplierLifts({ platform }: Story, id: string): Promise<void> {
  platform.reseller.supplier.unsuspend(id);
  await platform.reseller.webhooks.postDue();
}

/** The alerts in a channel. */
export function cards(story: Story, channel = "#ops"): Message[] {
  return story.ben.sees(channel).filter((message) => said(message).includes("by webhook,"));
}

/** All replies under messages, in every channel. */
export function replies({ slack }: Pick<Story, "slack">): Message[] {
  return Object.values(slack.state().channels)
    .flat()
    .filter(({ thread_ts }) => thread_ts);
}
