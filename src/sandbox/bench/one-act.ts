import type { Run } from "./contenders.ts";
import { link } from "./linking.ts";
import { ask, createSlack } from "./slack.ts";
import type { Subject } from "./subjects.ts";
import type { World } from "./the-world.ts";

const user = "U0TRACKER";

/** A member's act, to have its request in the store. */
export async function oneAct(app: Subject, { signingSecret }: Run["secrets"], world: World): Promise<void> {
  const slack = createSlack(app.url, signingSecret, world);
  await link(slack, world, user, await world.key());
  await ask(slack, world, { command: "/vps", text: "start bulk-00001", user, channel: "C90000000" });
  await slack.close();
  await app.stop();
}
