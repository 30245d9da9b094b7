import * as z from "zod";
import { everyProject, listAnswer, listFields } from "../../notifications/answers/list.ts";
import { defineOperation } from "../../operation/define.ts";
import { nameIs } from "../../operation/preconditions.ts";
import { noTarget, type TargetKind } from "../../operation/target.ts";
import {
  type CustomImage,
  deleteCustomImage,
  listCustomImages,
  readCustomImage,
} from "../../platform/customer/images.ts";
import { pageFrom } from "../../platform/http/pages.ts";
import { context, facts, section } from "../../views/blocks.ts";
import { bytes, moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { maybeGone, present } from "../kits/gone.ts";
import { known } from "../kits/lines.ts";

/** Custom images of the account. */
export const image: TargetKind<"customer", CustomImage> = {
  noun: "image",
  label: "image",
  card: "image show",
  inProjects: true,
  pageSize: 200,
  list: async (client, query) => pageFrom(await listCustomImages(client), query),
  read: readCustomImage,
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: [],
    state: row.status,
    project: "",
    detail: [row.status, kindOf(row), row.os_family, sizeOf(row)].filter((part) => part).join(" · "),
    ...(row.status === "error" ? { trouble: "cannot be used" } : {}),
  }),
};

function kindOf({ source_kind: kind }: CustomImage): string {
  return kind === "capture" ? "captured" : "registered";
}

/** The billed size, which a plan's disk must have at least; null if unknown. */
function sizeOf({ virtual_size_bytes: size }: CustomImage): string | null {
  return size ? bytes(size) : null;
}

function markOf(status: string): string {
  if (status === "available") return ":cd:";
  return status === "error" ? ":red_circle:" : ":hourglass_flowing_sand:";
}

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

export const show = defineOperation({
  command: "image show",
  summary: "Show a custom image: whether it can be ordered with, its size, and where it comes from",
  act: readCustomImage,
  risk: "read",
  target: image,
  input: z.object({}),
  async run({ target }) {
    const words = { available: "can be ordered with", capturing: "is being captured", error: "cannot be used" };
    const text = `${code(target.name)} ${words[target.status]}.`;
    const error = target.error ? [section(`:x: ${prose(target.error)}`)] : [];
    const blocks = [
      section(`${markOf(target.status)} *${text}*`),
      ...error,
      ...facts(factsOf(target)),
      context(`Image ${code(target.id)}`),
    ];
    const refresh = { label: "Refresh", command: "image show", target: target.id, replace: true };
    return { text, blocks, next: [refresh, { label: "Delete…", command: "image delete", target: target.id }] };
  },
});

function factsOf(image: CustomImage): { label: string; value: string }[] {
  const { size_bytes: stored, available_at: available, created_at: created } = image;
  const rows: [string, string | null | undefined][] = [
    ["From", kindOf(image)],
    ["Disk that it needs, and that is billed", sizeOf(image)],
    ["Stored", stored ? bytes(stored) : null],
    ["System", image.os_family && prose(image.os_family, 100)],
    ["Description", image.description && prose(image.description)],
    ["Address", image.source_url && code(image.source_url, 500)],
    ["SHA-256", image.source_sha256 && code(image.source_sha256)],
    ["Made", created && moment(created)],
    ["Available since", available && moment(available)],
  ];
  return known(rows);
}

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
