import type { TargetKind } from "../../operation/target.ts";
import { type CustomImage, listCustomImages, readCustomImage } from "../../platform/customer/images.ts";
import { pageFrom } from "../../platform/http/pages.ts";
import { bytes } from "../../views/format.ts";

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

export function kindOf({ source_kind: kind }: CustomImage): string {
  return kind === "capture" ? "captured" : "registered";
}

/** The billed size, which a plan's disk must have at least; null if unknown. */
export function sizeOf({ virtual_size_bytes: size }: CustomImage): string | null {
  return size ? bytes(size) : null;
}

export function markOf(status: string): string {
  if (status === "available") return ":cd:";
  return status === "error" ? ":red_circle:" : ":hourglass_flowing_sand:";
}
