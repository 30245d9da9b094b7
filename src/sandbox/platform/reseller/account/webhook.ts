import { BlockList, isIP } from "node:net";
import { z } from "zod";
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
  if (!isDemo && !isPublic(url.hostname)) throw badRequest("webhookUrl must have a public host");
  call.partner.webhookUrl = webhookUrl;
  return ok({ webhookUrl });
}

/** Queues a delivery, and tells no more than that. */
function test({ partner, programme, world }: Call) {
  if (partner.webhookUrl === null) throw badRequest("No webhook URL configured");
  programme.events.raise(partner, "webhook.test", {
    message: "A test delivery",
    sentAt: new Date(world.clock.now()).toISOString(),
  });
  return ok({ queued: true });
}

const inside = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  inside.addSubnet(net, prefix);
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  inside.addSubnet(net, prefix, "ipv6");
}

/** Neither loopback nor private, by its form: a name is resolved at each delivery. */
function isPublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family !== 0) return !inside.check(host, family === 6 ? "ipv6" : "ipv4");
  return host.includes(".") && !/(^|\.)(localhost|local|internal|lan)\.?$/i.test(host);
}
