import { endpoint } from "./endpoint.ts";

/**
 * PUT /account/webhook: sets the address of the account's webhook, replacing any before. It must be public and have a scheme. Reseller
 * spec sections 4 and 6.
 */
export const setWebhook = endpoint(
  "PUT /account/webhook",
  (call, webhookUrl: string): Promise<void> => call.done({}, { body: { webhookUrl } }),
);

/**
 * POST /webhooks/test: queues a test delivery, and confirms only that; 400 where the account has no webhook address. Reseller spec
 * sections 4 and 6.
 */
export const testWebhook = endpoint("POST /webhooks/test", (call): Promise<void> => call.done({}), {
  refusals: [
    {
      status: 400,
      says: "No webhook URL configured",
      means: "The platform has no webhook address: `/reseller webhook address` sets one.",
      is: "no webhook address",
      spec: "6",
    },
  ],
});
