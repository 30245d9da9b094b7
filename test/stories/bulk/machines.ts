import { type Actor, type Message, type Story, writes } from "../story.ts";

/** The paths of the writes that the platform was sent. */
export function writtenPaths(story: Story): string[] {
  return writes(story).map(({ path }) => path);
}

/** The paths of an act on these machines. */
export function pathsOf({ platform }: Story, act: string, ...names: string[]): string[] {
  return names.map((name) => `/vps/${platform.findVps(name).id}/${act}`);
}

/** Types the number that a request for many asks for. */
export async function typeNumber(story: Story, actor: Actor, request: Message, press: string, typed: string) {
  await actor.press(request, press);
  await story.modal(actor, "How many?");
  const label = JSON.stringify(actor.modal()).match(/"(Type [\d]+ to [^"]*)"/)?.[1] ?? "";
  await actor.fill({ [label]: typed });
  return actor.submit();
}
