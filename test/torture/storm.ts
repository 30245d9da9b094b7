import type { Practice } from "../../src/sandbox/practice.ts";
import type { Draws } from "./draws.ts";
import { createFaults, type Strike } from "./faults.ts";
import { pause } from "./pause.ts";

const idempotent = [
  "chat.update",
  "conversations.open",
  "conversations.info",
  "conversations.history",
  "conversations.replies",
  "users.info",
  "apps.connections.open",
] as const;
const methods = [...idempotent, "chat.postMessage", "chat.postEphemeral", "views.open"] as const;

const faults = createFaults(methods);

/** Faults, each as often as it stands here. */
const strikes: [Strike, ...Strike[]] = [
  faults["lost write"],
  ...Object.values(faults),
  ({ practice: { platform } }) => platform.faults.next({ how: "hang", method: "POST", applied: true }),
  ({ practice: { slack } }, draws) => slack.faults.lose("chat.postMessage", draws.between(1, 2)),
  ({ practice: { slack } }, draws) =>
    // Nobody could know of a post that Slack makes after its answer was given up: what hangs changes nothing twice.
    void pause(draws.between(100, 1_500)).then(slack.faults.hangApi(draws.pick(idempotent), draws.between(1, 2))),
];

/** Makes faults on both sides until the round ends it; gives their number. */
export function startStorm(practice: Practice, draws: Draws): { end(): Promise<number> } {
  let blowing = true;
  const done = blow();

  async function blow(): Promise<number> {
    let count = 0;
    while (blowing) {
      draws.pick(strikes)({ practice }, draws);
      count += 1;
      await pause(draws.between(100, 800));
    }
    return count;
  }

  return {
    async end() {
      blowing = false;
      const count = await done;
      practice.platform.faults.resume();
      practice.slack.faults.clear();
      return count;
    },
  };
}
