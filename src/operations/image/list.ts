import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { noTarget } from "../../operation/target.ts";
import { listCustomImages } from "../../platform/customer/images.ts";
import { image, markOf } from "./image.ts";

/** Spec section 2.10. */
const states = ["capturing", "available", "error"] as const;

export const list = defineOperation({
  command: "image list",
  summary: "List the custom images, the newest first",
  act: listCustomImages,
  risk: "read",
  target: noTarget,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or id" }),
    status: z.enum(states).optional().meta({ title: "Status" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "text",
  async run(call) {
    const answer = await listAnswer(call, {
      kind: { ...image, states },
      command: "image list",
      open: "image show",
      many: "images",
      mark: markOf,
    });
    return { ...answer, next: [...(answer.next ?? []), { label: "Register one…", command: "image register" }] };
  },
});
