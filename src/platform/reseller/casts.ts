import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, done } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";

const CastStatus = z.enum(["pending", "open", "expired", "revoked"]);

/** A link to a console that is live. Its two times are when it must be opened by, and when the viewer's time ends (none before it was opened). Reseller spec sections 2.7 and 3.4. */
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

/** A new one, with its address, which is the credential itself, is told once, and holds the ticket. */
export const NewCast = Cast.extend({ url: z.string().min(1), ticket: z.string().nullish() });
export type NewCast = z.infer<typeof NewCast>;

/** POST /services/{serviceId}/console-cast: of a VPS or a dedicated server. Seconds: it must be opened within 60 to 604,800 (900 unless told), and then serves for 300 to 43,200 (3,600). Reseller spec sections 2.7, 4.3 and 8. */
export async function createCast(
  client: ResellerClient,
  serviceId: string,
  body: { label?: string; viewOnly?: boolean; openTtlSeconds?: number; viewerTtlSeconds?: number },
): Promise<NewCast> {
  const route = path("/services/{serviceId}/console-cast", { serviceId });
  return (await client.send("POST", route, dataOf("cast", NewCast), body)).data;
}

/** GET /services/{serviceId}/console-cast: the live ones, without their addresses; needs the scope `services`. Reseller spec section 2.7. */
export function listCasts(client: ResellerClient, serviceId: string): Promise<Cast[]> {
  return client.get(path("/services/{serviceId}/console-cast", { serviceId }), listOf("casts", Cast));
}

/** DELETE /services/{serviceId}/console-cast/{castId}: revokes the link, and no stream that is open; once more does no harm. Reseller spec sections 3.4 and 4. */
export async function revokeCast(client: ResellerClient, serviceId: string, castId: string): Promise<void> {
  await client.send("DELETE", path("/services/{serviceId}/console-cast/{castId}", { serviceId, castId }), done);
}
