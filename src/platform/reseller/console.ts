import * as z from "#zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { AnyTime, Figure } from "../fields.ts";
import { done, ifReadable, inData, objectOrField, parseByShape, unspecified } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { endpoint } from "./client.ts";
import { castRefusals, consoleRefusals } from "./refusals.ts";

const text = z.string().nullish();

/** The console of a VPS. `token`, `rfbPassword` and `websocketUrl` are secrets that open it. Reseller spec section 2.7. */
export const VncConsole = z.object({
  type: z.literal("novnc"),
  sessionId: text,
  token: text,
  expiresAt: text,
  websocketUrl: z.string(),
  rfbPassword: text,
});
export type VncConsole = z.infer<typeof VncConsole>;

/** Says if a dedicated server's console can be opened; it has no address. Reseller spec section 2.7. */
export const KvmConsole = z.object({
  type: z.literal("kvm"),
  available: z.boolean(),
  agent_online: ifReadable(z.boolean()),
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

const CastStatus = z.enum(["pending", "open", "expired", "revoked"]);

/**
 * A live link to a console. `openExpiresAt` is the deadline for opening it. `viewerExpiresAt` ends the viewer's time, and is absent
 * until then. Reseller spec sections 2.7 and 3.4.
 */
export const Cast = z.object({
  id: z.string().min(1),
  label: z.string().nullish(),
  status: CastStatus,
  viewOnly: z.boolean().nullish(),
  openExpiresAt: AnyTime.nullish(),
  viewerExpiresAt: AnyTime.nullish(),
  viewerTtlSeconds: Figure.nullish(),
});
export type Cast = z.infer<typeof Cast>;

/** A new link. `url` is a credential, and only this answer has it. */
const NewCast = z.object({ id: z.string().min(1), url: z.string().min(1), openExpiresAt: ifReadable(AnyTime) });

/**
 * For a VPS or a dedicated server. The link must be opened within 60 to 604,800 seconds (default 900). It then serves for 300 to 43,200
 * seconds (default 3,600).
 */
export const createCast = endpoint(
  "POST /services/{serviceId}/console-cast",
  "services",
  "2.7, 4.3, 8",
  inData(objectOrField("cast", NewCast)),
  {
    sends: (body: { label?: string; viewOnly?: boolean; openTtlSeconds?: number; viewerTtlSeconds?: number }) => ({
      body,
    }),
    refusals: castRefusals,
  },
);

/** The live links, without their addresses. */
export const listCasts = endpoint("GET /services/{serviceId}/console-cast", "services", "2.7", listOf("casts", Cast), {
  refusals: castRefusals,
});

/** Revokes the link, but not an open stream. Revoking it again is harmless. */
export const revokeCast = endpoint("DELETE /services/{serviceId}/console-cast/{castId}", "services", "3.4, 4", done);
