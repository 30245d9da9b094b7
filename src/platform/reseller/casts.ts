import * as z from "zod";
import { DateTime } from "../dates.ts";
import { ifReadable, objectOrField } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { endpoint } from "./endpoint.ts";
import { castRefusals } from "./refusals.ts";

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
  openExpiresAt: DateTime.nullish(),
  viewerExpiresAt: DateTime.nullish(),
  viewerTtlSeconds: z.number().nullish(),
});
export type Cast = z.infer<typeof Cast>;

/** A new link. `url` is a credential, and only this answer has it. */
export const NewCast = z.object({ id: z.string().min(1), url: z.string().min(1), openExpiresAt: ifReadable(DateTime) });
export type NewCast = z.infer<typeof NewCast>;

/**
 * POST /services/{serviceId}/console-cast: for a VPS or a dedicated server. The link must be opened within 60 to 604,800 seconds
 * (default 900). It then serves for 300 to 43,200 seconds (default 3,600). Reseller spec sections 2.7, 4.3 and 8.
 */
export const createCast = endpoint(
  "POST /services/{serviceId}/console-cast",
  (
    call,
    serviceId: string,
    body: { label?: string; viewOnly?: boolean; openTtlSeconds?: number; viewerTtlSeconds?: number },
  ): Promise<NewCast> => call.data({ serviceId }, objectOrField("cast", NewCast), { body }),
  { refusals: castRefusals },
);

/** GET /services/{serviceId}/console-cast: the live links, without their addresses; needs the scope `services`. Reseller spec section 2.7. */
export const listCasts = endpoint(
  "GET /services/{serviceId}/console-cast",
  (call, serviceId: string): Promise<Cast[]> => call.envelope({ serviceId }, listOf("casts", Cast)),
  { refusals: castRefusals },
);

/**
 * DELETE /services/{serviceId}/console-cast/{castId}: revokes the link, but not an open stream. Revoking it again is harmless. Reseller
 * spec sections 3.4 and 4.
 */
export const revokeCast = endpoint(
  "DELETE /services/{serviceId}/console-cast/{castId}",
  (call, serviceId: string, castId: string): Promise<void> => call.done({ serviceId, castId }),
);
