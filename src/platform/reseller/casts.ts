import * as z from "zod";
import { DateTime } from "../dates.ts";
import { done, ifReadable, inData, objectOrField } from "../http/data.ts";
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
const NewCast = z.object({ id: z.string().min(1), url: z.string().min(1), openExpiresAt: ifReadable(DateTime) });

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
