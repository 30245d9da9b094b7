import { section } from "../../views/blocks.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import { isBeforeAct, type Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { LockHolder, underWay } from "./thing-lock.ts";
import { outcomeOf, stateWords, titleOf } from "./view.ts";

/** What a press that changes nothing is told: no press is ever silent. */
export interface SayState {
  /** How the request stands now. */
  state(id: string, origin: Origin): Promise<void>;
  /** The same, where the origin is not the modal that shows the request anyhow. */
  unseen(id: string, origin: Origin): Promise<void>;
  /** Somebody's press of this or of another request works on the same thing. */
  locked(request: Request, holder: unknown, origin: Origin): Promise<void>;
}

export function createSayState({ requests, reply }: { requests: RequestStore; reply: Reply }): SayState {
  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  async function state(id: string, origin: Origin): Promise<void> {
    const request = await requests.read(id);
    if (!request) return say(origin, "That request is no longer known, so this changed nothing.");
    const { state, decidedBy } = request;
    if ((state === "claimed" || state === "working") && decidedBy && decidedBy !== origin.slackUser)
      return say(origin, `<@${decidedBy}> pressed first. Yours changed nothing.`);
    const reasoned = ["void", "refused", "unknown", "undecided", "denied"].includes(state) || isBeforeAct(request);
    const words = reasoned && request.outcome ? outcomeOf(request) : stateWords(request);
    await say(origin, `${titleOf(request)}: ${words}`);
  }

  return {
    state,
    async unseen(id, origin) {
      const request = await requests.read(id);
      if (!request || (origin.view !== null && request.origin.view?.id === origin.view.id)) return;
      await say(origin, `${titleOf(request)}: ${outcomeOf(request)}`);
    },
    async locked(request, by, origin) {
      const holder = LockHolder.safeParse(by).data;
      if (holder?.request === request.id)
        return say(origin, `<@${holder.slackUser}> pressed first. Yours changed nothing.`);
      await say(origin, underWay(by));
    },
  };
}
