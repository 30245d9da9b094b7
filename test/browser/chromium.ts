import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

/** A headless Chromium from the registry package; it looks nothing up in the network. */
export async function openChromium(): Promise<Browser> {
  return driver.launch({
    args: [
      ...chromium.args,
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    executablePath: await chromium.executablePath(),
    headless: true,
  });
}
