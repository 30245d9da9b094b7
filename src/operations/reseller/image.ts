import * as z from "#zod";
import { listFields } from "../../messages/answers/list.ts";
import { doneIf } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { NotYet } from "../../operation/errors.ts";
import { idFact } from "../../operation/identity.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { TargetKind } from "../../operation/target.ts";
import {
  type CapturedImage,
  CapturedStatus,
  deleteCapturedImage,
  listCapturedImages,
} from "../../platform/reseller/images.ts";
import { unlistedIn } from "../../platform/unlisted.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { bytes } from "../../views/format.ts";
import { dotted } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { imageMark, imageWords } from "../kits/copies.ts";
import { inWholeList, maybeGone, present } from "../kits/gone.ts";
import { listOperation } from "../kits/list.ts";

/** Lists and names captured images. */
const capturedImage: TargetKind<"reseller", CapturedImage> = {
  noun: "captured image",
  label: "captured image",
  states: { all: CapturedStatus.options, unlisted: ({ status }) => unlistedIn(CapturedStatus, status) },
  ...inWholeList(listCapturedImages, "This image is not in your list of captured images, or your key cannot see it."),
  reads: [listCapturedImages],
  entry: (row) => ({
    id: row.id,
    name: imageName(row),
    nameless: !row.name,
    aliases: [],
    state: stateWords(row.status),
    detail: dotted([stateWords(row.status), sizeOf(row)]),
    columns: { Size: sizeOf(row) ?? "" },
    ...(row.status === "error" ? { trouble: "cannot be used" } : {}),
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: "An image has no address.",
    hostname: "An image has no host name.",
    location: "The platform does not name the node of an image.",
    apart: ({ id }) => [idFact(id)],
  },
};

function imageName({ name, id }: CapturedImage): PlainText {
  return name || id;
}

/** The billed size, or null. */
function sizeOf({ virtual_size_bytes: size }: CapturedImage): string | null {
  return size ? `${bytes(size)}, billed` : null;
}

const list = listOperation({
  kind: capturedImage,
  command: "reseller image list",
  summary: "List your captured images, with the billed size of each",
  example: "/reseller image list",
  act: listCapturedImages,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name or id" }),
    status: CapturedStatus.optional().meta({ title: "Status" }),
    page: listFields.page,
  }),
  open: "reseller image delete",
  press: "Delete…",
  pressable: ({ state }) => state !== "capturing",
  many: "captured images",
  mark: imageMark,
});

const remove = defineOperation({
  command: "reseller image delete",
  synonyms: ["remove", "destroy"],
  summary: "Delete a captured image; services ordered from it stay as they are",
  example: "/reseller image delete golden-web",
  act: deleteCapturedImage,
  risk: "destroy",
  effects: [{ aspect: "image", to: ["gone"] }],
  verb: "Delete image",
  target: maybeGone(capturedImage),
  input: z.object({}),
  async review({ target, name }) {
    const found = present(target, "image");
    const plain = imageName(found);
    if (found.status === "capturing")
      throw new NotYet(
        `The image ${name} is still being captured. Nothing was deleted. Try again when the capture has ended.`,
      );
    return {
      press: plainly`Delete ${plain}`,
      back: plainly`Keep ${plain}`,
      consequence: `This will erase the stored disk ${name} and end its billing. Nobody can order from this image again. Services that were ordered from it stay. This cannot be undone.`,
      preconditions: {
        image: nameIs("Image", plain),
        size: { value: found.virtual_size_bytes ?? null, label: "Size", text: sizeOf(found) ?? "unknown" },
      },
      shown: [{ label: "State", value: stateWords(found.status) }],
    };
  },
  async run({ client, target, name }) {
    present(target, "image");
    await deleteCapturedImage(client, target.id);
    return {
      text: `The image ${name} is deleted and no longer billed.`,
      next: [{ label: "Images", command: "reseller image list" }],
    };
  },
  reconcile: async ({ target: { row } }) =>
    doneIf(row === null, "the image is gone.", `the image is still there and ${imageWords(row?.status ?? "")}.`),
});

/** Operations on captured images; `/reseller service capture` makes one. */
export const imageOperations = [list, remove];
