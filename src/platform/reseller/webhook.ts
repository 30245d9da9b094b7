import { done } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** Sets the address of the account's webhook, replacing any before. It must be public and have a scheme. */
export const setWebhook = endpoint("PUT /account/webhook", "account", "4, 6", done, {
  sends: (webhookUrl: string) => ({ body: { webhookUrl } }),
  removes: true,
});

/** Queues a test delivery, and confirms only that; 400 where the account has no webhook address. */
export const testWebhook = endpoint("POST /webhooks/test", "account", "4, 6", done, {
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
