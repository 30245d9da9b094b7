import { z } from "zod";
import { isPublicHost } from "../../http/public-host.ts";
import { badRequest } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { type Call, type Route, readBody } from "../request/call.ts";

export const webhookRoutes: Route[] = [
  { method: "PUT", path: "/account/webhook", scope: "account", handle: set },
  { method: "POST", path: "/webhooks/test", scope: "account", handle: test },
];

const body = z.object({ webhookUrl: z.string("webhookUrl is required").min(1, "webhookUrl is required") });

function set(call: Call) {
  const { webhookUrl } = readBody(call, body);
  const url = URL.parse(webhookUrl);
  if (!/^https?:\/\//i.test(webhookUrl) || url === null) {
    throw badRequest("webhookUrl must be an address with a scheme, such as https://hooks.example.com/reseller");
  }
  const isDemo = call.programme.settings.localhost && url.hostname === "localhost";
  if (!isDemo && !isPublicHost(url.hostname)) throw badRequest("webhookUrl must have a public host");
  call.partner.webhookUrl = webhookUrl;
  return ok({ webhookUrl });
}

/** Queues a delivery, and answers no more than that. */
function test({ partner, programme, world }: Call) {
  if (partner.webhookUrl === null) throw badRequest("No webhook URL configured");
  programme.events.raise(partner, "webhook.test", {
    message: "A test delivery",
    sentAt: new Date(world.clock.now()).toISOString(),
  });
  return ok({ queued: true });
}
