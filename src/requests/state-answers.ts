import type { Origin } from "../notifications/origin.ts";
import type { Reply } from "../notifications/reply.ts";
import { section } from "../views/blocks.ts";
import type { StateAnswers } from "./app.ts";
import { isBeforeMainAct, type Request, titleOf } from "./request.ts";
import { underWayWords } from "./resource-lock.ts";
import type { RequestStore } from "./store.ts";
import { outcomeOf, stateWords } from "./view.ts";
import type { Visibilities } from "./visibility.ts";

export function createStateAnswers({
  requests,
  visibilities,
  reply,
}: {
  requests: RequestStore;
  visibilities: Visibilities;
  reply: Reply;
}): StateAnswers {
  async function say(origin: Origin, text: string): Promise<void> {
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  }

  async function state(id: string, origin: Origin): Promise<void> {
    const request = await requests.read(id);
    if (!request) return say(origin, "That request is no longer known, so this changed nothing.");
    const { state, decidedBy } = request;
    if ((state === "claimed" || state === "working") && decidedBy && decidedBy !== origin.slackUser)
      return say(origin, `<@${decidedBy}> pressed first. Yours changed nothing.`);
    const reasoned =
      ["pending", "void", "refused", "unknown", "undecided", "denied"].includes(state) || isBeforeMainAct(request);
    const words = reasoned && request.outcome ? outcomeOf(request) : stateWords(request);
    await answerVisible(request, origin, words);
  }

  /** Tells the state, but no more than the presser may see now: they may have lost access since the button was posted. */
  async function answerVisible(request: Request, origin: Origin, words: string, lead = ""): Promise<void> {
    const visibility = await visibilities.of(origin).at(request);
    if (visibility === "whole") return say(origin, `${lead}${titleOf(request)}: ${words}`);
    if (visibility === "named") return say(origin, `${lead}${titleOf(request)}: ${stateWords(request)}`);
    if (visibility === "waiting")
      return say(origin, `${lead}The request of <@${request.slackUser}>: ${stateWords(request)}`);
    await say(
      origin,
      "You cannot see that request, because your keys do not list its resource. Your press changed nothing.",
    );
  }

  return {
    state,
    async unseen(id, origin) {
      const request = await requests.read(id);
      if (!request || (origin.view !== null && request.origin.view?.id === origin.view.id)) return;
      await answerVisible(request, origin, outcomeOf(request));
    },
    async lost(id, origin, lead) {
      const request = await requests.read(id);
      if (!request) return say(origin, `${lead} That request is no longer known.`);
      // Nobody edits this answer later, so it must not name a state that will change.
      const goesOn = ["claimed", "unknown", "working", "planned"].includes(request.state);
      const so = goesOn ? "It counted. The request's own message shows the outcome." : outcomeOf(request);
      if (request.state !== "pending") return answerVisible(request, origin, so, `${lead} `);
      const counted = request.approvals.some(({ member }) => member === origin.member);
      const words = counted
        ? "It counted, and others must still approve."
        : "It did not count, and the request still waits. Press again if you still need it.";
      await say(origin, `${lead} ${words}`);
    },
    locked: (by, origin) => say(origin, underWayWords(by)),
  };
}
