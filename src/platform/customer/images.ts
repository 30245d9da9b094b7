import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";
import { readList } from "./list.ts";

export const CustomImageStatus = z.enum(["capturing", "available", "error"]);

/** A custom image: registered from a URL (external) or captured from a VPS. Sizes in bytes; `virtual_size_bytes` is what is billed. Spec section 2.10. */
export const CustomImage = z.object({
  id: z.string().min(1),
  name: z.string(),
  description: z.string().nullish(),
  source_kind: z.enum(["external", "capture"]),
  status: CustomImageStatus,
  size_bytes: z.number().nonnegative().nullish(),
  virtual_size_bytes: z.number().nonnegative().nullish(),
  source_url: z.string().nullish(),
  source_sha256: z.string().nullish(),
  os_family: z.string().nullish(),
  error: z.string().nullish(),
  available_at: DateTime.nullish(),
  created_at: DateTime.nullish(),
});
export type CustomImage = z.infer<typeof CustomImage>;

/** GET /custom-images/{id}. Spec sections 2.10 and 4.7. */
export async function readCustomImage(client: CustomerClient, id: string): Promise<CustomImage> {
  return (await client.get(path("/custom-images/{id}", { id }), dataOf("custom_image", CustomImage))).data;
}

/** What a new image is registered with. Spec sections 2.8 and 2.10. */
export interface ImageSource {
  name: string;
  sourceUrl: string;
  sha256: string;
  description?: string;
  osFamily?: string;
  projectId?: string;
}

/** What registering an image answers: less than the image. */
export const NewImage = z.object({ id: z.string().min(1), name: z.string() });
export type NewImage = z.infer<typeof NewImage>;

/** GET /custom-images, the newest first. Spec section 4.7. */
export function listCustomImages(client: CustomerClient): Promise<CustomImage[]> {
  return readList(client, "/custom-images", "custom_images", CustomImage);
}

/** POST /custom-images: registers a disk image that is served somewhere. Spec sections 2.10 and 4.7. */
export async function registerCustomImage(client: CustomerClient, source: ImageSource): Promise<NewImage> {
  return (await client.send("POST", "/custom-images", dataOf("custom_image", NewImage), source)).data;
}

/** DELETE /custom-images/{id}: servers that were built from it stay as they are. Spec section 4.7. */
export async function deleteCustomImage(client: CustomerClient, id: string): Promise<void> {
  await client.send("DELETE", path("/custom-images/{id}", { id }), done);
}
