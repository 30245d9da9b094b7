import { scrub } from "../log.ts";
import { readOpenApi } from "../platform/customer/openapi.ts";
import type { Platform } from "../platform/platform.ts";
import type { Finding } from "./finding.ts";

/** Checks that the platform answers at PLATFORM_URL, by its public list of routes. */
export async function checkPlatform(platform: Platform): Promise<Finding[]> {
  try {
    const { paths } = await readOpenApi(platform.anonymous("customer"));
    const says = `answers at ${platform.url}, and lists ${Object.keys(paths).length} routes`;
    return [{ about: "platform", fine: true, says }];
  } catch (error) {
    const why = scrub(error instanceof Error ? error.message : "no reason was given").replace(/\.$/, "");
    const says = `PLATFORM_URL: ${why}. PLATFORM_URL must be the API's root. Open ${platform.url}/openapi.json in a browser: if the address is right, the page lists the API's routes.`;
    return [{ about: "platform", fine: false, says }];
  }
}
