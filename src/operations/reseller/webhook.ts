import * as z from "zod";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { ExpectedEvents } from "../../operation/operation.ts";
import { noTarget } from "../../operation/target.ts";
import { setWebhook, testWebhook } from "../../platform/reseller/webhook.ts";
import { code } from "../../views/text.ts";

/** Waits for the supplier's test event: only a received event proves that webhooks reach this app. */
const arrival: ExpectedEvents = {
  first: ["webhook.test"],
  awaited: {
    waits: "I wait for the test event here. The supplier sends about once a minute.",
    came: "The test event arrived: the supplier's events reach this app.",
    missing:
      "No test event arrived here in 5 min. Look whether the address is this app's, whether it can be reached from outside, and whether what stands before it passes everything on as it is. `/rackbell connect check` tells more.",
  },
};

const address = defineOperation({
  command: "reseller webhook address",
  group: "settings",
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
  reconcile: unsure("The platform does not tell the address. Send a test, and look whether it arrives."),
});

const isDone = () => true;
const notDone = () => false;

const test = defineOperation({
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
  reconcile: unsure("Look whether a test event arrived; one more harms nothing."),
});

/** Operations on the webhook address of the reseller account. */
export const webhookOperations = [address, test];
