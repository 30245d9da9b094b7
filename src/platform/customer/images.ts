import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime, Figure } from "../fields.ts";
import { done, inData, objectOrField } from "../http/data.ts";
import { everyRow } from "../http/pages.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";

export const CustomImageStatus = z.enum(["capturing", "available", "error"]);

/** A custom image: registered from a URL (external) or captured from a VPS. Sizes in bytes; `virtual_size_bytes` is billed. Spec section 2.10. */
export const CustomImage = z.object({
  id: z.string().min(1),
  name: PlainText,
  description: PlainText.nullish(),
  source_kind: z.enum(["external", "capture"]),
  status: orUnlisted(CustomImageStatus),
  size_bytes: Figure.pipe(z.number().nonnegative()).nullish(),
  virtual_size_bytes: Figure.pipe(z.number().nonnegative()).nullish(),
  source_url: z.string().nullish(),
  source_sha256: z.string().nullish(),
  os_family: z.string().nullish(),
  error: PlainText.nullish(),
  available_at: DateTime.nullish(),
  created_at: DateTime.nullish(),
});
export type CustomImage = z.infer<typeof CustomImage>;

export const readCustomImage = endpoint(
  "GET /custom-images/{id}",
  "read",
  "2.10, 4.7",
  inData(objectOrField("custom_image", CustomImage)),
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
const NewImage = z.object({ id: z.string().min(1) });

/** The newest first. */
export const listCustomImages = endpoint("GET /custom-images", "read", "4.7", everyRow("custom_images", CustomImage));

/** Registers a disk image that is hosted at a URL. */
export const registerCustomImage = endpoint(
  "POST /custom-images",
  "services",
  "2.10, 4.7",
  inData(objectOrField("custom_image", NewImage)),
  { sends: (body: ImageSource) => ({ body }), charges: true, refusals: [] },
);

/** Servers that were built from the image stay as they are. */
export const deleteCustomImage = endpoint("DELETE /custom-images/{id}", "services", "4.7", done, { removes: true });
