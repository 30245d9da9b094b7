import { type Browser, chromium as driver } from "playwright-core";
import { openChromium } from "./chromium.ts";

/** A way to come by a browser. */
export interface Way {
  name: string;
  open(): Promise<Browser>;
}

const packaged: Way = { name: "the Chromium of @sparticuz/chromium", open: openChromium };
const installed: Way[] = [
  { name: "an installed Chrome", open: () => driver.launch({ channel: "chrome" }) },
  { name: "an installed Edge", open: () => driver.launch({ channel: "msedge" }) },
];

/** Browsers that this machine may have: the package's own is for Linux on x64. */
function waysHere(): Way[] {
  return process.platform === "linux" && process.arch === "x64" ? [packaged, ...installed] : installed;
}

/** The first browser that opens, or why there is none, in one line. */
export async function openBrowser(ways: Way[] = waysHere()): Promise<{ browser: Browser } | { why: string }> {
  const faults: string[] = [];
  for (const { name, open } of ways) {
    try {
      return { browser: await open() };
    } catch (error) {
      faults.push(`${name}: ${reasonOf(error)}`);
    }
  }
  return { why: `no browser opens here (${faults.join("; ")}). Install Chrome or Edge to run them` };
}

/** The line that says it: a driver's errors begin with a box of advice on its own installation. */
function reasonOf(error: unknown): string {
  const lines = String(error instanceof Error ? error.message : error).split("\n");
  return (lines.find((line) => /shared librar|not found|ENOENT/.test(line)) ?? lines[0] ?? "").trim();
}
