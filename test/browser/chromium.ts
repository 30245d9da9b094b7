import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

/** A headless Chromium from the registry package; it looks nothing up in the network. */
export async function openChromium(): Promise<Browser> {
  return driver.launch({
    args: [
      // In one process a window that is closed takes the others with it.
      ...chromium.args.filter((arg) => arg !== "--single-process"),
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    executablePath: await chromium.executablePath(),
    headless: true,
  });
}
