import { done } from "../http/data.ts";
import type { ResellerClient } from "./client.ts";

/** PUT /account/webhook: the address that events go to from now on, in place of any before. It must be public and have a scheme. Reseller spec sections 4 and 6. */
export async function setWebhook(client: ResellerClient, webhookUrl: string): Promise<void> {
  await client.send("PUT", "/account/webhook", done, { webhookUrl });
}

/** POST /webhooks/test: queues a delivery, and tells no more than that; 400 where no address is on file. Reseller spec sections 4 and 6. */
export async function testWebhook(client: ResellerClient): Promise<void> {
  await client.send("POST", "/webhooks/test", done);
}
