import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { registry } from "../../src/operations/index.ts";
import { systemClock } from "../../src/process/clock.ts";
import { createLog } from "../../src/process/log.ts";
import { startPractice } from "../../src/sandbox/practice.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { openPage } from "./page.ts";

/** Takes the README's pictures in the practice workspace: `npm run pictures`. The real app runs behind the page. */
export async function takePictures(browser: Browser, into: string): Promise<void> {
  const practice = await startPractice({
    clock: systemClock,
    manifest: manifestOf(registry),
    pace: 12,
    environment: { APPROVALS: "peer" },
  });
  const store = mkdtempSync(join(tmpdir(), "rackbell-pictures-"));
  const app = await startApp({
    config: readConfig({ ...practice.environment, STORE_URL: `sqlite:${join(store, "rackbell.db")}` }),
    log: createLog({ level: "silent" }),
  });
  try {
    const size = { viewport: { width: 1180, height: 800 }, deviceScaleFactor: 1.5, colorScheme: "light" as const };
    const { page, type, actAs, link, sees } = await openPage(browser, practice, size);
    await actAs("caro");
    await link(practice.platform.keys.caro.key);
    await actAs("ana");
    await link(practice.platform.keys.ana.key);
    await type("/vps list");
    await sees(/\d+ VPSes/);
    await page.screenshot({ path: join(into, "list.png") });
    await type('/vps reinstall web-2 image="Debian 13" reason="moves to Debian 13"');
    await sees(/will erase/);
    await page.screenshot({ path: join(into, "request.png") });
    await page.context().close();
  } finally {
    await app.stop();
    await practice.close();
    rmSync(store, { recursive: true });
  }
}
