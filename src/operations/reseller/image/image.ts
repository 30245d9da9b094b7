import type { TargetKind } from "../../../operation/target.ts";
import { pageFrom } from "../../../platform/http/pages.ts";
import { type CapturedImage, listCapturedImages } from "../../../platform/reseller/images.ts";
import { bytes } from "../../../views/format.ts";
import { NotListed } from "../../gone.ts";

/** Lists and names captured images. The platform has a list of them and no route for one. */
export const capturedImage: TargetKind<"reseller", CapturedImage> = {
  noun: "captured image",
  label: "captured image",
  pageSize: 200,
  list: async (client, query) => pageFrom(await listCapturedImages(client), query),
  async read(client, id) {
    const found = (await listCapturedImages(client)).find((one) => one.id === id);
    if (found) return found;
    throw new NotListed(
      "That image is not among those that you captured, or your key cannot see it.",
      "Nothing changed.",
    );
  },
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [],
    state: row.status,
    project: "",
    detail: [row.status, sizeOf(row)].filter((part) => part).join(" · "),
  }),
};

export function nameOf({ name, id }: CapturedImage): string {
  return name || id;
}

/** The billed size, or null. */
export function sizeOf({ virtual_size_bytes: size }: CapturedImage): string | null {
  return size ? `${bytes(size)}, billed` : null;
}
