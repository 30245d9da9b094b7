import * as z from "zod";
import { dataOf, dataWithStatus, done } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { listOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";

const CapturedImageStatus = z.enum(["capturing", "available"]);

/** An image that was captured of a VPS; sizes in bytes, `virtual_size_bytes` is what is billed. Reseller spec section 2.8. */
export const CapturedImage = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  status: CapturedImageStatus,
  size_bytes: z.number().nonnegative().nullish(),
  virtual_size_bytes: z.number().nonnegative().nullish(),
});
export type CapturedImage = z.infer<typeof CapturedImage>;

/** What an accepted capture answers. */
export const Capture = z.object({ id: z.string().min(1), status: CapturedImageStatus });
export type Capture = z.infer<typeof Capture>;

/** POST /services/{serviceId}/capture: 202; it works on in the background, poll the list. Stored images are billed. Reseller spec sections 2.8 and 4. */
export function captureService(client: ResellerClient, serviceId: string, name: string): Promise<Success<Capture>> {
  const route = path("/services/{serviceId}/capture", { serviceId });
  return dataWithStatus(client.sendWithStatus("POST", route, dataOf("image", Capture), { name }));
}

/** GET /images. Reseller spec sections 2.8 and 4. */
export function listCapturedImages(client: ResellerClient): Promise<CapturedImage[]> {
  return client.get("/images", listOf("images", CapturedImage));
}

/** DELETE /images/{imageId}: it is billed no more. Reseller spec section 4. */
export async function deleteCapturedImage(client: ResellerClient, imageId: string): Promise<void> {
  await client.send("DELETE", path("/images/{imageId}", { imageId }), done);
}
