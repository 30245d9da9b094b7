import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium as driver, type LaunchOptions } from "playwright-core";

const cache = resolve("node_modules/.cache/rackbell");

/** The headless Chromium of the registry package, for Linux on x64; it looks nothing up in the network. */
export async function openChromium(): Promise<Browser> {
  const home = await unpacked();
  const options: LaunchOptions = {
    args: [
      // In one process a window that is closed takes the others with it. A graphics card that the processor imitates takes half of its time.
      ...chromium.args.filter((arg) => !/^--(single-process|use-gl=|use-angle=|enable-unsafe-swiftshader)/.test(arg)),
      "--disable-gpu",
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    executablePath: join(home, "chromium"),
    headless: true,
    env: { ...process.env, FONTCONFIG_FILE: join(home, "fonts.conf") },
  };
  try {
    return await driver.launch(options);
  } catch (error) {
    if (!/shared librar/.test(String(error))) throw error;
    // A bare machine has none of these; where it has, its own fit it better.
    return driver.launch({ ...options, env: { ...options.env, LD_LIBRARY_PATH: join(home, "al2023", "lib") } });
  }
}

/** The package's own fonts beside the machine's: without any, Chromium draws no text, and then it ends. */
function fontsIn(home: string): string {
  const folders = [join(home, "fonts"), "/usr/share/fonts"].map((folder) => `<dir>${folder}</dir>`).join("");
  return `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${join(home, "font-cache")}</cachedir></fontconfig>`;
}

/** The folder that holds it unpacked, whole or not at all: several test files may begin at once. */
async function unpacked(): Promise<string> {
  const home = join(cache, "chromium");
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const mine = await mkdtemp(join(cache, "chromium-"));
  const before = process.env.TMPDIR;
  // The package unpacks to the folder for temporary files.
  process.env.TMPDIR = mine;
  try {
    await chromium.executablePath();
    await writeFile(join(mine, "fonts.conf"), fontsIn(home));
    await inflate(join(fileURLToPath(new URL("../bin", import.meta.resolve("@sparticuz/chromium"))), "al2023.tar.br"));
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(mine, home).catch(() => rm(mine, { recursive: true }));
  return home;
}
