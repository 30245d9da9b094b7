import * as z from "#zod";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listCustomImages, readCustomImage } from "../../platform/customer/images.ts";
import { captureVps } from "../../platform/customer/vps.ts";
import { bytes } from "../../views/format.ts";
import { code, reasonWords } from "../../views/text.ts";
import { balanceFact, readOwnBalance } from "../kits/balance.ts";
import {
  captureCommon,
  captureFirst,
  captureOffer,
  capturePace,
  ImagesBefore,
  imageWords,
  orderFromCopy,
} from "../kits/copies.ts";
import { diskIs, diskOf, requireUsable, vps } from "./vps.ts";

/** The image, and the product and the project of the machine, which a new order from the image starts with. */
const Handle = z.object({ image: z.string(), product: z.string().optional(), project: z.string().optional() });

export const capture = defineOperation({
  ...captureCommon,
  command: "vps capture",
  summary: "Store the disk of a VPS as a custom image, which is billed by its size",
  example: "/vps capture web-1 name=before-upgrade",
  act: captureVps,
  reads: [readCustomImage, listCustomImages, readBalance],
  target: vps,
  input: z.object({
    name: z.string().min(1).max(120).meta({ title: "Name of the image" }),
    description: z.string().max(2000).optional().meta({ title: "Description", format: "lines" }),
  }),
  usable: ({ target }) => requireUsable(target, "images"),
  copy: {
    ...captureFirst,
    async offer({ client, target, last }) {
      // An outside provider's ability is not certain enough.
      if (target.capabilities === null) return "unknown";
      if (!target.capabilities.images) return null;
      const known = last && Handle.parse(last.handle).image;
      const image = (await listCustomImages(client)).find(({ id, status }) => id === known && status === "available");
      return captureOffer(target.name, { payer: "", size: diskOf(target), image: image?.name, last });
    },
  },
  async review({ client, target, name }) {
    return {
      consequence: `This will store the disk of ${name} (${diskOf(target)}) as an image. The image is billed per GB and month until it is deleted. The platform names no price.`,
      preconditions: { disk: diskIs("Billed size", target) },
      personal: balanceFact(await readOwnBalance(client), null),
      price: "unknown",
      before: { images: (await listCustomImages(client)).map(({ id }) => id) },
    };
  },
  async run({ client, target, input, name }) {
    const { name: called, description } = input;
    const image = await captureVps(client, target.id, { name: called, ...(description ? { description } : {}) });
    return {
      text: `Capturing ${name} as ${code(called)}.`,
      next: [showImage(image.id)],
      handle: { image: image.id, product: target.product.id, project: target.project.id },
    };
  },
  async reconcile({ client, target, input }, { before }) {
    const known = ImagesBefore.parse(before).images;
    const image = (await listCustomImages(client)).find(
      ({ id, name, source_kind }) => name === input.name && source_kind === "capture" && !known.includes(id),
    );
    if (!image) return { is: "not done", text: "there is no such image." };
    return {
      is: "done",
      text: `the image ${code(image.name)} ${imageWords(image.status)}.`,
      next: [showImage(image.id)],
      handle: { image: image.id, product: target.product.id, project: target.project.id },
    };
  },
  follow: {
    ...capturePace,
    handle: Handle,
    async poll({ client }, { image: id, product, project }) {
      const image = await readCustomImage(client, id);
      const name = code(image.name);
      if (image.status === "capturing") return { state: "working", text: `Capturing as ${name}.` };
      if (image.status === "error")
        return {
          state: "failed",
          text: `The capture ${name} failed: ${reasonWords(image.error)}`,
        };
      // A state that the spec does not name may still become another one; the deadline ends the wait.
      if (image.status !== "available")
        return { state: "working", text: `The image ${name} ${imageWords(image.status)}.` };
      // In the unit of the machine's disk, so that request and result show the same size.
      const size = image.virtual_size_bytes ? ` It is billed as ${bytes(image.virtual_size_bytes)}.` : "";
      return {
        state: "done",
        text: `${name} is ready to use.${size}`,
        next: [orderFromCopy("order new", id, product, project)],
      };
    },
  },
});

function showImage(target: string): Step {
  return { label: "Show image", command: "image show", target };
}
