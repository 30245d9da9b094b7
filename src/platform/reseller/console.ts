import * as z from "zod";
import { dataOf, notShown, readAs } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { type Parted, partSecrets } from "./secret-fields.ts";

const text = z.string().nullish();

/** The console of a VPS. `token`, `rfbPassword` and `websocketUrl` open it: secrets. Reseller spec section 2.7. */
export const VncConsole = z.object({
  type: z.literal("novnc"),
  sessionId: text,
  token: text,
  wsPath: text,
  expiresAt: text,
  mode: text,
  viewerKind: text,
  websocketUrl: z.string(),
  rfbPassword: text,
});
export type VncConsole = z.infer<typeof VncConsole>;

/** Whether a dedicated server's console can be opened; it opens nothing by itself. Reseller spec section 2.7. */
export const KvmConsole = z.object({
  type: z.literal("kvm"),
  available: z.boolean(),
  launch_endpoint: text,
  agent_online: z.boolean().nullish(),
  reason: text,
});
export type KvmConsole = z.infer<typeof KvmConsole>;

/** A console in the shape of its kind; of a plugin service in the provider's own, its secrets apart. */
export type Console = VncConsole | KvmConsole | ({ type: "provider" } & Parted);

const OfProvider = z.unknown().transform((told): Console => ({ type: "provider", ...partSecrets(told) }));
const Shaped = notShown.pipe(readAs(shapeOf));

/** A session of a console: one-shot, for minutes. `token` is a secret; the socket is at `origin`. Reseller spec section 2.7. */
export const ConsoleSession = z.object({
  sessionId: text,
  token: z.string().min(1),
  wsPath: text,
  viewerKind: text,
  origin: text,
});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

/** GET /services/{serviceId}/console: opens a session, and needs the scope `services`. Like any read it may be sent again: a session that nobody uses ends by itself. 409 while a VPS has no display. Reseller spec sections 2.7, 4 and 4.3. */
export function openConsole(client: ResellerClient, serviceId: string): Promise<Console> {
  return client.get(path("/services/{serviceId}/console", { serviceId }), Shaped);
}

/** POST /services/{serviceId}/console-session. Reseller spec sections 2.7 and 4. */
export async function openConsoleSession(client: ResellerClient, serviceId: string): Promise<ConsoleSession> {
  const route = path("/services/{serviceId}/console-session", { serviceId });
  return (await client.send("POST", route, dataOf("session", ConsoleSession))).data;
}

/** A provider may use the same words for what is not the same: only what has the parts is taken for it. */
function shapeOf(told: unknown): z.ZodType<Console> {
  if (typeof told !== "object" || told === null || !("type" in told)) return OfProvider;
  if (told.type === "novnc" && "websocketUrl" in told) return VncConsole;
  return told.type === "kvm" && "available" in told ? KvmConsole : OfProvider;
}
