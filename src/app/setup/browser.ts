import { spawn } from "node:child_process";
import { type Clock, settles } from "../../process/clock.ts";

/** Milliseconds after which a browser that has not ended is taken as open. */
const openAfterMs = 2_000;

/** Opens a page in the browser. Resolves with false if there is none, as on a server. */
export type OpenPage = (url: string) => Promise<boolean>;

/** The browser of this machine, by its platform and by BROWSER, DISPLAY and WAYLAND_DISPLAY of the environment. */
export function browserOf(
  env: Record<string, string | undefined>,
  { platform, clock }: { platform: string; clock: Clock },
): OpenPage {
  const command = commandFor(env, platform);
  return async (url) => {
    if (command === null) return false;
    const child = spawn(command, [url], { stdio: "ignore", detached: true });
    const failed = new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(true));
      child.once("exit", (code) => resolve(code !== 0));
    });
    const ended = await settles(failed, clock, openAfterMs);
    child.unref();
    return !(ended && (await failed));
  };
}

/** Windows takes no address of this length on a command line, so it has none here: its users open the file. */
function commandFor({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: Record<string, string | undefined>, platform: string) {
  if (BROWSER) return BROWSER.split(":")[0] ?? null;
  if (platform === "darwin") return "open";
  return platform === "linux" && (DISPLAY || WAYLAND_DISPLAY) ? "xdg-open" : null;
}
