import * as z from "#zod";
import type { Progress } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import { captureService, listCapturedImages } from "../../../platform/reseller/images.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { plainly } from "../../../process/plain-text.ts";
import { bytes } from "../../../views/format.ts";
import { code } from "../../../views/text.ts";
import {
  captureCommon,
  captureFirst,
  captureOffer,
  capturePace,
  IdsBefore,
  imageWords,
  longestUnshownMs,
  orderFromCopy,
} from "../../kits/copies.ts";
import { requireMachine, resoldService, soldName, soldWords } from "./service.ts";

/** The image, and the product name of its service: rows of services have no product id. */
const Handle = z.object({ image: z.string(), name: z.string(), product: z.string().nullish() });

/** Images are the partner's, and a bound key sees only its customer: its list without an image proves nothing. Reseller spec section 5. */
const boundSeesNone =
  "Your key is bound to one customer, and may not see images. Ask a colleague with another key to look at the list.";

export const capture = defineOperation({
  ...captureCommon,
  command: "reseller service capture",
  summary: "Store the disk of a resold VPS as an image, billed by its size",
  example: "/reseller service capture web-2 name=before-upgrade",
  act: captureService,
  reads: [listCapturedImages, readService, readCapabilities],
  verb: "Capture",
  target: resoldService,
  input: z.object({ name: z.string().trim().min(1).max(120).meta({ title: "Name of the image" }) }),
  usable: ({ target }) => requireMachine(target),
  copy: {
    ...captureFirst,
    async offer({ client, target, last }) {
      // The platform captures a native VPS alone, and does not show whether the product allows it. Reseller spec sections 2.4 and 4.3.
      if ((await readCapabilities(client, target.serviceId)).backend !== "vps") return null;
      const copied = last && Handle.parse(last.handle);
      const isThere =
        copied &&
        (await listCapturedImages(client)).some(({ id, status }) => id === copied.image && status === "available");
      return captureOffer(soldName(target), {
        payer: " to you",
        size: null,
        image: isThere ? copied.name : undefined,
        last,
      });
    },
  },
  async review({ client, target, input }) {
    const ids = (await listCapturedImages(client)).map(({ id }) => id);
    return {
      press: plainly`Capture ${soldName(target)}`,
      consequence: `The disk of ${soldWords(target)} will be stored as ${code(input.name)}. You pay for its full size until somebody deletes the image.`,
      preconditions: { image: nameIs("Image", input.name) },
      shown: [
        { label: "Price", value: "The platform shows neither the price nor the size beforehand.", decides: "unknown" },
      ],
      price: "unknown",
      before: { ids },
    };
  },
  async run({ client, target, input, name }) {
    const image = await captureService(client, target.serviceId, input.name);
    return {
      text: `Capturing ${name} as ${code(input.name)}.`,
      handle: { image: image.id, name: input.name, product: target.productName ?? null },
    };
  },
  async reconcile({ client, confinedTo, target, input }, { before }) {
    const { ids } = IdsBefore.parse(before);
    const fresh = (await listCapturedImages(client)).filter(({ id }) => !ids.includes(id));
    const made = fresh.find(({ name }) => name === input.name);
    // A row may have no name (reseller spec section 2.8), so a new row without one could be this image.
    if (!made && fresh.some(({ name }) => !name))
      return { is: "unsure", text: "there is a new image, but the platform does not show its name." };
    if (!made && confinedTo) return { is: "unsure", text: boundSeesNone };
    if (!made) return { is: "not done", text: "there is no such image." };
    return {
      is: "done",
      text: `the image ${imageWords(made.status)}.`,
      handle: { image: made.id, name: input.name, product: target.productName ?? null },
    };
  },
  follow: {
    ...capturePace,
    handle: Handle,
    async poll({ client, confinedTo, since, now }, { image: id, name, product }): Promise<Progress> {
      const found = (await listCapturedImages(client)).find((one) => one.id === id);
      const next = [{ label: "Images", command: "reseller image list" }];
      if (!found && confinedTo)
        return { state: "done", endUnknown: true, text: `The capture ${code(name)} was accepted. ${boundSeesNone}` };
      const capturing: Progress = { state: "working", text: `Capturing as ${code(name)}.` };
      if (!found && now - since <= longestUnshownMs) return capturing;
      if (!found)
        return {
          state: "failed",
          text: `The image ${code(name)} is not there: the capture failed, or somebody deleted the image.`,
          next,
        };
      if (found.status === "error")
        return {
          state: "failed",
          text: `The capture ${code(name)} failed, and the image cannot be used.`,
          next: [{ label: "Delete it…", command: "reseller image delete", target: id }, ...next],
        };
      if (found.status === "capturing") return capturing;
      // A state that the spec does not name may still become another one; the deadline ends the wait.
      if (found.status !== "available")
        return { state: "working", text: `The image ${code(name)} ${imageWords(found.status)}.` };
      const size = found.virtual_size_bytes ? ` Billed size: ${bytes(found.virtual_size_bytes)}.` : "";
      const order = orderFromCopy("reseller order new", id, product);
      return { state: "done", text: `The image ${code(name)} is available.${size}`, next: [order, ...next] };
    },
  },
});
