import * as z from "zod";
import type { Progress } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { captureService, listCapturedImages } from "../../../platform/reseller/images.ts";
import { bytes } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import { nameOf, requireInService, soldService, soldWords } from "./service.ts";

const Known = z.object({ ids: z.array(z.string()) });

export const capture = defineOperation({
  api: "reseller",
  command: "reseller service capture",
  summary: "Store the disk of a VPS that you sell on as an image, which is billed by its size",
  routes: ["POST /services/{serviceId}/capture", "GET /images", "GET /services/{serviceId}"],
  scope: "services",
  risk: "spend",
  verb: "Capture",
  target: soldService,
  input: z.object({ name: z.string().trim().min(1).max(120).meta({ title: "Name of the image" }) }),
  usable: ({ target }) => requireInService(target),
  async review({ client, target, input }) {
    const ids = (await listCapturedImages(client)).map(({ id }) => id);
    return {
      press: `Capture ${nameOf(target)}`,
      consequence: `The disk of ${soldWords(target)} is stored as ${code(input.name)}, and its full size is billed to you until the image is deleted.`,
      material: [{ label: "Image", value: code(input.name) }],
      shown: [{ label: "Price", value: "Set by the supplier; the platform tells neither it nor the size before." }],
      before: { ids },
    };
  },
  async run({ client, target, input }) {
    const { value } = await captureService(client, target.serviceId, input.name);
    return {
      text: `Capturing ${code(nameOf(target))} as ${code(input.name)}.`,
      handle: { image: value.id, name: input.name },
    };
  },
  async reconcile({ client, input }, { before }) {
    const { ids } = Known.parse(before);
    const made = (await listCapturedImages(client)).find(({ id, name }) => !ids.includes(id) && name === input.name);
    if (!made) return { is: "not done", text: "there is no such image." };
    return { is: "done", text: `the image is ${made.status}.`, handle: { image: made.id, name: input.name } };
  },
  follow: {
    every: 15_000,
    deadline: 6 * 60 * 60_000,
    handle: z.object({ image: z.string(), name: z.string() }),
    async poll({ client }, { image: id, name }): Promise<Progress> {
      const found = (await listCapturedImages(client)).find((one) => one.id === id);
      const next = [{ label: "Images", command: "reseller image list" }];
      if (!found)
        return { state: "failed", text: `The image ${code(name)} is not there: it failed, or was deleted.`, next };
      if (found.status === "capturing") return { state: "working", text: `Capturing as ${code(name)}.` };
      const size = found.virtual_size_bytes ? ` It is billed as ${bytes(found.virtual_size_bytes)}.` : "";
      return { state: "done", text: `The image ${code(name)} is available.${size}`, next };
    },
  },
});
