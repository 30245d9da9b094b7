import { type Crashing, startCrashingStory } from "../crashing.ts";
import { type Actor, type Member, type Message, type Story, type StoryOptions, startStory, writes } from "../story.ts";

/** A story of members who have linked a reseller key, in a workspace that ana has connected to the reseller account. */
export async function startResellerStory(
  options: StoryOptions & { partners?: Member[]; connected?: boolean } = {},
): Promise<Story> {
  const { partners = ["ana"], connected = true, ...others } = options;
  const story = await startStory(others);
  for (const name of partners) await story.link(story[name], story.platform.reseller.keys[name].key);
  if (connected) await connect(story, story.ana);
  // Linking tries calls that the key may refuse, to find its scopes.
  story.platform.clearCalls();
  return story;
}

/** The same with an app that can be killed: ana alone has linked a reseller key. */
export async function startCrashingResellerStory(
  options: Parameters<typeof startCrashingStory>[0] = {},
): Promise<Crashing> {
  const story = await startCrashingStory(options);
  await story.link(story.ana, story.platform.reseller.keys.ana.key, "Your reseller key", "is linked");
  await connect(story, story.ana);
  story.platform.clearCalls();
  return story;
}

/** Sets the signing secret through the form, as an admin does. */
export async function connect(
  story: Pick<Story, "slack" | "platform" | "modal"> & { secrets?: Set<string> },
  actor: Actor,
  given: { "Signing secret"?: string; "Reseller monitoring key"?: string; "Customer monitoring key"?: string } = {
    "Signing secret": story.platform.reseller.signingSecret() ?? "",
  },
  ...texts: string[]
): Promise<Message> {
  for (const secret of Object.values(given)) story.secrets?.add(secret);
  await actor.type("/rackbell connect");
  await story.modal(actor, "Signing secret");
  await actor.fill(given);
  const before = actor.sees().length;
  await actor.submit();
  const wanted = texts.length > 0 ? texts : ["The signing secret is set"];
  const shows = (message: Message) => wanted.every((text) => JSON.stringify(message).includes(text));
  return story.slack.until(() => actor.sees().slice(before).find(shows), `an answer with ${wanted.join(" + ")}`);
}

/** Writes to the reseller API. */
export function resellerWrites(story: Pick<Story, "platform">) {
  return writes(story).filter(({ path }) => path.startsWith("/reseller/"));
}
