import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listCustomImages, readCustomImage } from "../../platform/customer/images.ts";
import { captureVps } from "../../platform/customer/vps.ts";
import { bytes, money } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { diskOf, requireUsable, vps } from "./vps.ts";

export const capture = defineOperation({
  api: "customer",
  command: "vps capture",
  summary: "Store a VPS's disk as a custom image, which is billed by its size",
  routes: [
    "POST /vps/{id}/capture",
    "GET /custom-images/{id}",
    "GET /custom-images",
    "GET /account/balance",
    "GET /vps/{id}",
  ],
  scope: "services",
  risk: "spend",
  target: vps,
  input: z.object({
    name: z.string().min(1).max(120).meta({ title: "Name of the image" }),
    description: z.string().max(2000).optional().meta({ title: "Description", format: "lines" }),
  }),
  usable: ({ target }) => requireUsable(target, "images"),
  async review({ client, target }) {
    const { balance, currency } = await readBalance(client);
    return {
      consequence: `A stored image of ${diskOf(target)} is billed per GB and month until it is deleted.`,
      material: [{ label: "Billed size", value: diskOf(target) }],
      shown: [{ label: "Price per GB", value: "Set by the operator; the platform does not tell it here." }],
      personal: [{ label: "Your balance", value: money(balance, currency) }],
    };
  },
  async run({ client, target, input }) {
    const { name, description } = input;
    const image = await captureVps(client, target.id, { name, ...(description ? { description } : {}) });
    return { text: `Capturing ${code(target.name)} as ${code(image.name)}.`, handle: { image: image.id } };
  },
  async reconcile({ client, input }, { since }) {
    const image = (await listCustomImages(client)).find(
      ({ name, source_kind, created_at }) =>
        name === input.name && source_kind === "capture" && (!created_at || Date.parse(created_at) >= since - 60_000),
    );
    if (!image) return { is: "not done", text: "there is no such image." };
    return { is: "done", text: `the image ${code(image.name)} is ${image.status}.`, handle: { image: image.id } };
  },
  follow: {
    every: 15_000,
    deadline: 6 * 60 * 60_000,
    handle: z.object({ image: z.string() }),
    async poll({ client }, { image: id }) {
      const image = await readCustomImage(client, id);
      const name = code(image.name);
      if (image.status === "capturing") return { state: "working", text: `Capturing as ${name}.` };
      if (image.status === "error")
        return {
          state: "failed",
          text: `The capture ${name} failed: ${prose(image.error ?? "the platform gave no reason")}.`,
        };
      const size = image.virtual_size_bytes ? ` It is billed as ${bytes(image.virtual_size_bytes)}.` : "";
      return { state: "done", text: `The image ${name} is ready.${size}` };
    },
  },
});
