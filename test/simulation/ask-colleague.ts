import { said } from "../../src/sandbox/slack/server.ts";
import { type ActionContext, aboutMessage } from "./actions.ts";
import { hasButton, seesAll } from "./moves.ts";

/** The buttons, as Slack's payloads name them. */
const askColleagueButton = "delegate";
const takeOverButton = "invoke:take";

/** A person whose key may not do an act asks a colleague. */
export const askColleague = {
  print: () => "passes on what their key may not do",
  run({ actor, act }: ActionContext) {
    const message = seesAll(actor).findLast((one) => hasButton(one, askColleagueButton));
    if (message)
      act("passes it on", () => actor.press(message, { actionId: askColleagueButton }), aboutMessage(message));
  },
};

/** A colleague takes the wish over. It is theirs from then on, and the first person's decision counts no more than their own. */
export const takeOver = {
  print: () => "takes over what was passed on",
  run({ actor, act, takenOver }: ActionContext) {
    const message = actor.sees().findLast((one) => hasButton(one, takeOverButton));
    if (!message) return;
    takenOver(said(message));
    act("takes it over", () => actor.press(message, { actionId: takeOverButton }), aboutMessage(message));
  },
};
