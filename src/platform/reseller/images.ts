import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Figure } from "../fields.ts";
import { done, inData, objectOrField } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";

/** The reseller spec has no word for a failed capture, and the customer spec has "error". Sections 2.8 and 2.10. */
export const CapturedStatus = z.enum(["capturing", "available", "error"]);

/** An image captured from a VPS; sizes in bytes, `virtual_size_bytes` is billed. Reseller spec section 2.8. */
export const CapturedImage = z.object({
  id: z.string().min(1),
  name: PlainText.nullish(),
  status: orUnlisted(CapturedStatus),
  virtual_size_bytes: Figure.pipe(z.number().nonnegative()).nullish(),
});
export type CapturedImage = z.infer<typeof CapturedImage>;

/** The answer to an accepted capture. */
const Capture = z.object({ id: z.string().min(1) });

/** 202; it runs in the background, so poll the list. Stored images are billed. */
export const captureService = endpoint(
  "POST /services/{serviceId}/capture",
  "services",
  "2.8, 4",
  inData(objectOrField("image", Capture)),
  {
    sends: (name: string) => ({ body: { name } }),
    charges: true,
    refusals: [
      { status: 409, says: /captur/i, means: "Another capture is under way. Wait until it has ended.", spec: "7" },
      { status: 409, says: /busy|job|disk/i, means: "The machine is busy. Wait until that has ended.", spec: "7" },
    ],
  },
);

export const listCapturedImages = endpoint("GET /images", "read", "2.8, 4", listOf("images", CapturedImage));

/** Ends its billing. */
export const deleteCapturedImage = endpoint("DELETE /images/{imageId}", "services", "4", done, {
  removes: true,
  refusals: [
    {
      status: 409,
      says: /captur/i,
      means: "The image is still being captured. Wait until that has ended.",
      spec: "7",
    },
    { status: 409, says: /use/i, means: "The image is in use.", spec: "7" },
  ],
});
