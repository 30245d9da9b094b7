import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { NotYet } from "../../../operation/errors.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { deleteCapturedImage, listCapturedImages } from "../../../platform/reseller/images.ts";
import { code, oneLine } from "../../../views/text.ts";
import { maybeGone, present } from "../../gone.ts";
import { capturedImage, nameOf, sizeOf } from "./image.ts";

export const remove = defineOperation({
  command: "reseller image delete",
  summary: "Delete an image that you captured; what was ordered with it stays as it is",
  act: deleteCapturedImage,
  reads: [listCapturedImages],
  risk: "destroy",
  verb: "Delete image",
  target: maybeGone(capturedImage),
  input: z.object({}),
  async review({ target }) {
    const found = present(target, "image");
    const name = nameOf(found);
    if (found.status === "capturing")
      throw new NotYet(
        `The image ${code(name)} is still being captured. Nothing was deleted. Try again when that has ended.`,
      );
    return {
      press: `Delete ${oneLine(name)}`,
      back: `Keep ${oneLine(name)}`,
      consequence: `The stored disk ${code(name)} is erased, and nothing can be ordered with it again. This cannot be undone. What was ordered with it stays as it is; its storage is billed no more.`,
      preconditions: {
        image: nameIs("Image", name),
        size: { value: found.virtual_size_bytes ?? null, label: "Size", text: sizeOf(found) ?? "not told" },
      },
    };
  },
  async run({ client, target }) {
    const name = nameOf(present(target, "image"));
    await deleteCapturedImage(client, target.id);
    return {
      text: `The image ${code(name)} is deleted, and billed no more.`,
      next: [{ label: "Images", command: "reseller image list" }],
    };
  },
  async reconcile({ target }) {
    if (target.row === null) return { is: "done", text: "the image is gone." };
    return { is: "not done", text: `the image is still there and ${target.row.status}.` };
  },
});
