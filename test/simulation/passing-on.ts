import { said } from "../../src/sandbox/slack/server.ts";
import { aboutMessage, type Deed, type Hands } from "./deeds.ts";
import { hasButton, seesAll } from "./moves.ts";

/** The buttons, as Slack's payloads name them. */
const passOnButton = "handover";
const takeOverButton = "invoke:take";

/** A person whose key may not do what they asked has colleagues asked. */
export const passOn = {
  weight: 0,
  draw: (): Deed<"pass on"> => ({ is: "pass on" }),
  print: () => "passes on what their key may not do",
  run({ actor, act }: Hands) {
    const message = seesAll(actor).findLast((one) => hasButton(one, passOnButton));
    if (message) act("passes it on", () => actor.press(message, { actionId: passOnButton }), aboutMessage(message));
  },
};

/** Somebody takes it over: it is their wish from then on, and the first one's decision counts no more than their own. */
export const takeOver = {
  weight: 0,
  draw: (): Deed<"take over"> => ({ is: "take over" }),
  print: () => "takes over what was passed on",
  run({ actor, act, takenOver }: Hands) {
    const message = actor.sees().findLast((one) => hasButton(one, takeOverButton));
    if (!message) return;
    takenOver(said(message));
    act("takes it over", () => actor.press(message, { actionId: takeOverButton }), aboutMessage(message));
  },
};
