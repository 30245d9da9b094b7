import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import { type CustomImage, readCustomImage } from "../../platform/customer/images.ts";
import { context, facts, section } from "../../views/blocks.ts";
import { bytes, moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { image, kindOf, markOf, sizeOf } from "./image.ts";

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
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
