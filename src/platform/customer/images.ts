import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { objectOrField } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { readList } from "./list.ts";

const CustomImageStatus = z.enum(["capturing", "available", "error"]);

/** A custom image: registered from a URL (external) or captured from a VPS. Sizes in bytes; `virtual_size_bytes` is billed. Spec section 2.10. */
export const CustomImage = z.object({
  id: z.string().min(1),
  name: PlainText,
  description: PlainText.nullish(),
  source_kind: z.enum(["external", "capture"]),
  status: CustomImageStatus,
  size_bytes: z.number().nonnegative().nullish(),
  virtual_size_bytes: z.number().nonnegative().nullish(),
  source_url: z.string().nullish(),
  source_sha256: z.string().nullish(),
  os_family: z.string().nullish(),
  error: PlainText.nullish(),
  available_at: DateTime.nullish(),
  created_at: DateTime.nullish(),
});
export type CustomImage = z.infer<typeof CustomImage>;

/** GET /custom-images/{id}. Spec sections 2.10 and 4.7. */
export const readCustomImage = endpoint(
  "GET /custom-images/{id}",
  (call, id: string): Promise<CustomImage> => call.data({ id }, objectOrField("custom_image", CustomImage)),
);

/** The input of registering an image. Spec sections 2.8 and 2.10. */
export interface ImageSource {
  name: string;
  sourceUrl: string;
  sha256: string;
  description?: string;
  osFamily?: string;
  projectId?: string;
}

/** The answer to registering an image. */
export const NewImage = z.object({ id: z.string().min(1) });
export type NewImage = z.infer<typeof NewImage>;

/** GET /custom-images, the newest first. Spec section 4.7. */
export const listCustomImages = endpoint(
  "GET /custom-images",
  (call): Promise<CustomImage[]> => readList(call, {}, "custom_images", CustomImage),
);

/** POST /custom-images: registers a disk image that is hosted at a URL. Spec sections 2.10 and 4.7. */
export const registerCustomImage = endpoint(
  "POST /custom-images",
  (call, source: ImageSource): Promise<NewImage> =>
    call.data({}, objectOrField("custom_image", NewImage), { body: source }),
  { charges: true, refusals: [] },
);

/** DELETE /custom-images/{id}: servers that were built from the image stay as they are. Spec section 4.7. */
export const deleteCustomImage = endpoint(
  "DELETE /custom-images/{id}",
  (call, id: string): Promise<void> => call.done({ id }),
);
