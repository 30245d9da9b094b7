import * as z from "zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { inData, objectOrField, parseByShape, unspecified } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { consoleRefusals } from "./refusals.ts";

const text = z.string().nullish();

/** The console of a VPS. `token`, `rfbPassword` and `websocketUrl` are secrets that open it. Reseller spec section 2.7. */
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

/** Says if a dedicated server's console can be opened; it has no address. Reseller spec section 2.7. */
export const KvmConsole = z.object({
  type: z.literal("kvm"),
  available: z.boolean(),
  launch_endpoint: text,
  agent_online: z.boolean().nullish(),
  reason: text,
});
export type KvmConsole = z.infer<typeof KvmConsole>;

/** A console, by the kind of its service. A plugin service's console has the provider's layout, with its secrets separated. */
export type Console = VncConsole | KvmConsole | ({ type: "provider" } & Parted);

const OfProvider = z.unknown().transform((answer): Console => ({ type: "provider", ...partSecrets(answer) }));
const Shaped = unspecified.pipe(parseByShape(shapeOf));

/** A one-time console session that lasts minutes. `token` is a secret; the socket is at `origin`. Reseller spec section 2.7. */
const ConsoleSession = z.object({
  sessionId: text,
  token: z.string().min(1),
  wsPath: text,
  viewerKind: text,
  origin: text,
});

/** Opens a session. Like any read it may be retried: a session that nobody uses ends by itself. 409 while a VPS has no display. */
export const openConsole = endpoint("GET /services/{serviceId}/console", "services", "2.7, 4, 4.3", Shaped, {
  refusals: consoleRefusals,
});

export const openConsoleSession = endpoint(
  "POST /services/{serviceId}/console-session",
  "services",
  "2.7, 4",
  inData(objectOrField("session", ConsoleSession)),
  { refusals: consoleRefusals },
);

/** A provider may use the same type names for other shapes, so the shape is chosen by the fields that are present. */
function shapeOf(answer: unknown): z.ZodType<Console> {
  if (typeof answer !== "object" || answer === null || !("type" in answer)) return OfProvider;
  if (answer.type === "novnc" && "websocketUrl" in answer) return VncConsole;
  return answer.type === "kvm" && "available" in answer ? KvmConsole : OfProvider;
}
