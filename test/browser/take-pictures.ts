import { join } from "node:path";
import { openBrowser } from "./browser.ts";
import { takePictures } from "./pictures.ts";
import { recordSetup } from "./recording.ts";

/** The folder of the README's pictures. */
const folder = "src/sandbox/pictures";

const opened = await openBrowser();
if ("why" in opened) throw new Error(opened.why);
await takePictures(opened.browser, folder);
await opened.browser.close();
await recordSetup(join(folder, "setup.svg"));
