import { scrub } from "../log.ts";
import { readOpenApi } from "../platform/customer/openapi.ts";
import type { Platform } from "../platform/platform.ts";
import type { Finding } from "./finding.ts";

/** Checks that the platform answers at PLATFORM_URL, by its public list of routes. */
export async function checkPlatform(platform: Platform): Promise<Finding[]> {
  try {
    const { paths } = await readOpenApi(platform.anonymous("customer"));
    const says = `answers at ${platform.url}, and tells of ${Object.keys(paths).length} routes`;
    return [{ about: "platform", fine: true, says }];
  } catch (error) {
    const why = scrub(error instanceof Error ? error.message : "no reason was given").replace(/\.$/, "");
    const says = `PLATFORM_URL: ${why}. It must be the API's root, as ${platform.url} should be: open ${platform.url}/openapi.json in a browser, which shows the API's list of routes where it is right.`;
    return [{ about: "platform", fine: false, says }];
  }
}
