import { rest } from "./rest.ts";
import type { Member, Story } from "./story.ts";

/** Ends once the app has stored the member's new right: the day that it must be old counts from there. */
export async function becomesAdmin({ slack }: Story, name: Member): Promise<void> {
  const timesRead = () => slack.calls("users.info").filter(({ args }) => args.user === slack.user(name).id).length;
  await rest(1_000);
  const before = timesRead();
  slack.setRole(name, "admin");
  await slack.until(() => timesRead() > before, `the app to ask for ${name}`);
  await rest(1_000);
}

/** In one step, or in steps of so many hours, so that each timer has its turn. */
export async function passHours({ clock }: Story, hours: number, each = hours): Promise<void> {
  for (let passed = 0; passed < hours; passed += each) {
    clock.skip(each * 60 * 60_000);
    await rest(1_000);
  }
}

/** In one step past the day for which a key must be linked, and an admin's right seen. */
export function passADay(story: Story): Promise<void> {
  return passHours(story, 25);
}
