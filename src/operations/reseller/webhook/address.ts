import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { setWebhook, testWebhook } from "../../../platform/reseller/webhook.ts";
import { code } from "../../../views/text.ts";
import { arrival } from "./arrival.ts";

export const address = defineOperation({
  command: "reseller webhook address",
  summary: "Set the one address that the supplier sends events to, in place of any before",
  act: setWebhook,
  reads: [testWebhook],
  risk: "destroy",
  verb: "Set webhook address",
  target: noTarget,
  input: z.object({
    url: z
      .url({ protocol: /^https?$/, error: "give a whole address that begins with https:// or http://." })
      .max(2_000)
      .meta({ title: "Address", description: "A public one, with https://; a private one is refused" }),
    test: z.boolean().default(false).meta({
      title: "Wait for a test event here",
      description: "Where it is this app's own address",
    }),
  }),
  positional: "url",
  async review({ input }) {
    return {
      consequence: `Every event of your reseller account goes to ${code(input.url, 300)} from now on, and no longer to the address before, which nobody can read here.`,
      press: "Set the address",
      back: "Leave it",
      preconditions: {},
      shown: [{ label: "To take it out again", value: "No route clears it: that is done in the supplier's portal." }],
    };
  },
  async run({ client, input }) {
    await setWebhook(client, input.url);
    // The address is set already, so a failed test must not fail the operation.
    const tested = input.test && (await testWebhook(client).then(isDone, notDone));
    return {
      text: `Events go to ${code(input.url, 300)} from now on.${input.test && !tested ? " A test event could not be asked for." : ""}`,
      next: [{ label: tested ? "Send another test" : "Send a test", command: "reseller webhook test" }],
      unheard: !tested,
    };
  },
  expects: arrival,
  reconcile: async () => ({
    is: "unsure",
    text: "The platform does not tell the address. Send a test, and look whether it arrives.",
  }),
});

const isDone = () => true;
const notDone = () => false;
