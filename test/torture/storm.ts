import type { Practice } from "../../src/sandbox/practice.ts";
import type { Draws } from "./draws.ts";
import { pause } from "./pause.ts";

type Strike = (practice: Practice, draws: Draws) => void;

const answers = ["500", "html", "half-json", "empty", "wrong-shape", "reset"] as const;
const writes = ["POST", "DELETE"] as const;
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

/** No app can find out that the platform reports an act as done that it has not done. Such a fault only spoils acts that were done. */
function spoilWrite({ platform }: Practice, draws: Draws): void {
  const how = draws.pick(answers);
  const applied = draws.chance(0.6) || how === "wrong-shape";
  platform.faults.next({ how, method: draws.pick(writes), applied });
}

/** Faults, each as often as it stands here. A write takes effect at the latest in the time in which the app waits for that. */
const strikes: [Strike, ...Strike[]] = [
  spoilWrite,
  spoilWrite,
  ({ platform }, draws) =>
    platform.faults.next({ how: draws.pick(answers), method: "GET", times: draws.between(1, 4) }),
  ({ platform }) => platform.faults.next({ how: "hang", method: "POST", applied: true }),
  ({ platform }, draws) =>
    platform.faults.next({
      how: "late",
      method: draws.pick(writes),
      applied: draws.chance(0.5),
      lateMs: draws.between(1_000, 40_000),
    }),
  ({ platform }, draws) =>
    platform.faults.next({
      how: { status: 429, body: { success: false, error: "Too many requests" }, headers: { "retry-after": "7" } },
      method: draws.pick(["GET", "POST"]),
    }),
  ({ slack }, draws) => slack.faults.lose(draws.pick(methods), draws.between(1, 2)),
  ({ slack }, draws) => slack.faults.lose("chat.postMessage", draws.between(1, 2)),
  ({ slack }, draws) => slack.faults.reset(draws.pick(methods), draws.between(1, 3)),
  ({ slack }, draws) => slack.faults.failHttp(draws.pick(methods), draws.pick([500, 503]), draws.between(1, 3)),
  ({ slack }, draws) =>
    slack.faults.fail(draws.pick(methods), draws.pick(["internal_error", "fatal_error"]), draws.between(1, 3)),
  ({ slack }, draws) => slack.faults.rateLimit(draws.pick(methods), draws.between(1, 30)),
  ({ slack }, draws) =>
    // Nobody could know of a post that Slack makes after its answer was given up: what hangs changes nothing twice.
    void pause(draws.between(100, 1_500)).then(slack.faults.hangApi(draws.pick(idempotent), draws.between(1, 2))),
  ({ slack }, draws) => slack.faults.failResponseUrls(draws.pick([404, 429, 500]), draws.between(1, 3)),
  ({ slack }) => slack.faults.loseAck(),
  ({ slack }) => slack.faults.repeatEvents(),
  ({ slack }) => slack.faults.dropSocket(),
  ({ slack }) => slack.faults.refreshSocket(),
];

/** Makes faults on both sides until the round ends it; gives their number. */
export function startStorm(practice: Practice, draws: Draws): { end(): Promise<number> } {
  let blowing = true;
  const done = blow();

  async function blow(): Promise<number> {
    let count = 0;
    while (blowing) {
      draws.pick(strikes)(practice, draws);
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
