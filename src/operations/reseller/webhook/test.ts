import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { testWebhook } from "../../../platform/reseller/webhook.ts";
import { arrival } from "./arrival.ts";

export const test = defineOperation({
  command: "reseller webhook test",
  summary: "Have the supplier send a test event to the address that it has",
  act: testWebhook,
  risk: "change",
  verb: "Send test event",
  target: noTarget,
  input: z.object({}),
  async run({ client }) {
    await testWebhook(client);
    return {
      text: "A test event is on its way to the address that the supplier has.",
      next: [{ label: "Send another", command: "reseller webhook test" }],
    };
  },
  expects: arrival,
  reconcile: async () => ({ is: "unsure", text: "Look whether a test event arrived; one more harms nothing." }),
});
