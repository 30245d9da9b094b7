import * as z from "zod";
import { listAnswer, listFields } from "../../../notifications/answers/list.ts";
import { defineOperation } from "../../../operation/define.ts";
import { noTarget } from "../../../operation/target.ts";
import { listCapturedImages } from "../../../platform/reseller/images.ts";
import { capturedImage } from "./image.ts";

/** Reseller spec section 2.8. */
const states = ["capturing", "available"] as const;

export const list = defineOperation({
  command: "reseller image list",
  summary: "List the images that you captured, with the size that each is billed by",
  act: listCapturedImages,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or id" }),
    status: z.enum(states).optional().meta({ title: "Status" }),
    page: listFields.page,
  }),
  positional: "text",
  run: (call) =>
    listAnswer(call, {
      kind: { ...capturedImage, states },
      command: "reseller image list",
      open: "reseller image delete",
      press: "Delete…",
      many: "captured images",
      mark: (state) => (state === "available" ? ":cd:" : ":hourglass_flowing_sand:"),
    }),
});
