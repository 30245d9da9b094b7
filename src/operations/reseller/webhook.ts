import * as z from "#zod";
import { unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { AwaitedEvent } from "../../operation/operation.ts";
import { noTarget } from "../../operation/target.ts";
import { setWebhook, testWebhook } from "../../platform/reseller/webhook.ts";
import { code } from "../../views/text.ts";

/** Waits for the supplier's test event: only a received event proves that webhooks reach this app. */
const arrival: AwaitedEvent = {
  event: "webhook.test",
  texts: {
    waits: "I wait here for the test event. The platform sends about once a minute.",
    came: "The test event arrived: the platform's events reach this app.",
    missing:
      "No test event arrived within 5 min. Check that the address belongs to this app and can be reached from outside. A proxy in front must pass every request on unchanged. `/rackbell connect check` shows more.",
  },
};

const address = defineOperation({
  command: "reseller webhook address",
  group: "settings",
  summary: "Set the address that receives the platform's events; it replaces the address before",
  example: "/reseller webhook address url=https://rackbell.example/webhooks/reseller/x",
  act: setWebhook,
  writes: [testWebhook],
  risk: "destroy",
  effects: [],
  verb: "Set webhook address",
  target: noTarget,
  input: z.object({
    url: z
      .url({ protocol: /^https?$/, error: "give a whole address that begins with https:// or http://." })
      .max(2_000)
      .meta({ title: "Address", description: "A public one, with https://; a private one is refused" }),
    test: z.boolean().default(false).meta({
      title: "Wait for a test event here",
      description: "Only if this is the address of this app",
    }),
  }),
  positional: "url",
  async review({ input }) {
    return {
      consequence: `Every event of your reseller account will go to ${code(input.url, 300)}. The address before gets no more events, and Rackbell cannot show which one that is.`,
      press: "Set the address",
      back: "Keep the address",
      preconditions: {},
      shown: [
        {
          label: "To remove it later",
          value: "Rackbell cannot remove the address. Remove it in the platform's panel.",
        },
      ],
    };
  },
  async run({ client, input }) {
    await setWebhook(client, input.url);
    // The address is set already, so a failed test must not fail the operation.
    const tested = input.test && (await testWebhook(client).then(isDone, notDone));
    return {
      text: `Events now go to ${code(input.url, 300)}.${input.test && !tested ? " The platform did not accept a request for a test event." : ""}`,
      next: [{ label: tested ? "Send another test" : "Send a test", command: "reseller webhook test" }],
      unheard: !tested,
    };
  },
  awaits: arrival,
  reconcile: unsure("The platform does not show the address. Send a test, and check that it arrives."),
});

const isDone = () => true;
const notDone = () => false;

const test = defineOperation({
  command: "reseller webhook test",
  summary: "Ask the platform to send a test event to the stored address",
  example: "/reseller webhook test",
  act: testWebhook,
  risk: "change",
  effects: [],
  verb: "Send test event",
  target: noTarget,
  input: z.object({}),
  async run({ client }) {
    await testWebhook(client);
    return {
      text: "The platform is sending a test event to the stored address.",
      next: [{ label: "Send another", command: "reseller webhook test" }],
    };
  },
  awaits: arrival,
  reconcile: unsure("Check if a test event arrived. Another test event is harmless."),
});

/** Operations on the webhook address of the reseller account. */
export const webhookOperations = [address, test];
