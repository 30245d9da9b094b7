import * as z from "zod";
import { section } from "../../views/blocks.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { outcomeOf, stateWords, titleOf } from "./view.ts";

/** Whose press works on a thing at this moment: what a lock on it says of its holder. */
const Holder = z.object({ request: z.string(), slackUser: z.string() });

/** What a press that changes nothing is told: no press is ever silent. */
export interface SayState {
  /** How the request stands now. */
  state(id: string, origin: Origin): Promise<void>;
  /** Somebody's press of this or of another request works on the same thing. */
  locked(request: Request, holder: unknown, origin: Origin): Promise<void>;
}

export function createSayState({ requests, reply }: { requests: RequestStore; reply: Reply }): SayState {
  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  return {
    async state(id, origin) {
      const request = await requests.read(id);
      if (!request) return say(origin, "That request is no longer known, so this changed nothing.");
      const { state, decidedBy } = request;
      if ((state === "claimed" || state === "working") && decidedBy && decidedBy !== origin.slackUser)
        return say(origin, `<@${decidedBy}> pressed first. Yours changed nothing.`);
      const reasoned = ["void", "refused", "unknown", "undecided", "denied"].includes(state) && request.outcome;
      await say(origin, `${titleOf(request)}: ${reasoned ? outcomeOf(request) : stateWords(request)}`);
    },
    async locked(request, by, origin) {
      const holder = Holder.safeParse(by).data;
      const who = holder ? `<@${holder.slackUser}>` : "Somebody";
      if (holder?.request === request.id) return say(origin, `${who} pressed first. Yours changed nothing.`);
      await say(
        origin,
        `Another request about the same was pressed by ${who} a moment ago, so nothing was done with this one. Press again when it is clear what came of that.`,
      );
    },
  };
}
