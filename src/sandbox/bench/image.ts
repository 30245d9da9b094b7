import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../app/tools/bundle.ts";
import { inside } from "./contenders.ts";

/** Builds what the image holds in a new folder below this one, and gives the file that starts it. */
export async function imageIn(folder: string): Promise<string> {
  const image = await inside(folder);
  await bundle(join(image, "src"));
  await cp(fileURLToPath(new URL("../../../package.json", import.meta.url)), join(image, "package.json"));
  return join(image, "src", "start.js");
}
