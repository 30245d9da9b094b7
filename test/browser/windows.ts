import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { openBrowser } from "./browser.ts";

/** The browser of a test file, open for all of it. If this machine has none, each test is skipped, with the reason. */
export function useBrowser(): { readonly browser: Browser } {
  let opened: Awaited<ReturnType<typeof openBrowser>> | undefined;
  beforeAll(async () => {
    opened = await openBrowser();
  }, 60_000);
  beforeEach(({ skip }) => {
    if (opened && "why" in opened) skip(opened.why);
  });
  afterAll(async () => {
    if (opened && "browser" in opened) await opened.browser.close();
  });
  return {
    get browser() {
      if (!opened || !("browser" in opened)) throw new Error("There is no browser.");
      return opened.browser;
    },
  };
}
