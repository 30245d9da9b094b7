import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { deleteCustomImage, readCustomImage } from "../../platform/customer/images.ts";
import { code } from "../../views/text.ts";
import { maybeGone, present } from "../gone.ts";
import { image, kindOf, sizeOf } from "./image.ts";

export const remove = defineOperation({
  command: "image delete",
  summary: "Delete a custom image; servers built from it stay as they are",
  act: deleteCustomImage,
  reads: [readCustomImage],
  risk: "destroy",
  verb: "Delete image",
  target: maybeGone(image),
  input: z.object({}),
  async review({ target }) {
    const found = present(target, "image");
    const name = code(found.name);
    const lost =
      found.source_kind === "capture"
        ? `The stored disk ${name} is erased. This cannot be undone.`
        : `${name} is no longer registered; the file at its address is not touched.`;
    return {
      consequence: `${lost} No server can be ordered with it again. Servers built from it stay as they are. What its storage costs ends, and the days until now are charged.`,
      preconditions: {
        image: nameIs("Image", found.name),
        kind: { value: found.source_kind, label: "From", text: kindOf(found) },
        size: {
          value: found.virtual_size_bytes ?? null,
          label: "Disk that is billed",
          text: sizeOf(found) ?? "not told",
        },
      },
      shown: [{ label: "State", value: found.status }],
      before: found.name,
    };
  },
  async run({ client, target }) {
    const { name } = present(target, "image");
    await deleteCustomImage(client, target.id);
    return { text: `The image ${code(name)} is deleted.` };
  },
  async reconcile({ target }) {
    if (target.row === null) return { is: "done", text: "the image is gone." };
    return { is: "not done", text: `the image is still there and ${target.row.status}.` };
  },
});
