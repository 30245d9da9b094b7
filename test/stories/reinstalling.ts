import type { Message, Story } from "./story.ts";

/** Ana asks to reinstall a VPS. */
export async function askToReinstall(story: Story, name: string, ...texts: string[]): Promise<Message> {
  const { ana } = story;
  await ana.type(`/vps reinstall ${name} image="Debian 13"`);
  return story.sees(ana, "asks to", name, "will erase", ...texts);
}
