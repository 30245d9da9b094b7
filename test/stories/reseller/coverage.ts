import { onTestFinished } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { matchRoute } from "../../../src/sandbox/platform/reseller/routes.ts";
import { proveAtEnd } from "../../prove.ts";
import type { Story } from "../story.ts";

/** Which file of stories shows each command after `/reseller`. A file proves its own lines when it has run: in one of its stories the member was not refused, and the platform accepted the act. */
export const shown: Record<string, string[]> = {
  "account.test.ts": ["payment list", "payment default", "webhook address", "webhook test"],
  "addons.test.ts": ["service options", "service options set", "service option remove"],
  "console.test.ts": [
    "service console-cast",
    "service console-casts",
    "service console-cast revoke",
    "service console",
    "service console session",
  ],
  "customers.test.ts": ["customer list", "customer show", "customer create", "customer change", "customer delete"],
  "game-lists.test.ts": [
    "game backups",
    "game backup create",
    "game backup change",
    "game backup restore",
    "game backup delete",
    "game schedules",
    "game schedule create",
    "game schedule change",
    "game schedule run",
    "game schedule delete",
    "game mod install",
    "game mod remove",
  ],
  "game-transfer.test.ts": ["game file download", "game file upload", "game mods", "game mod upload"],
  "game.test.ts": [
    "game show",
    "game addons",
    "game start",
    "game stop",
    "game restart",
    "game kill",
    "game vars",
    "game console",
    "game files",
    "game file read",
    "game file contents",
    "game file link",
    "game file write",
    "game file mkdir",
    "game file rename",
    "game file compress",
    "game file decompress",
    "game file chmod",
    "game file delete",
    "game sftp",
    "game sftp rotate",
    "game calendar",
    "game mod search",
    "game mod show",
    "game mod versions",
    "game mod sources",
  ],
  "lost-orders.test.ts": ["order retry"],
  "order.test.ts": ["order new", "order list", "order show"],
  "package.test.ts": ["service upgrades", "service upgrade"],
  "panels.test.ts": ["service rdns", "service rescue", "service unrescue", "service transit"],
  "power.test.ts": [
    "service start",
    "service stop",
    "service restart",
    "service stats",
    "service traffic",
    "service network",
    "service health",
    "service templates",
  ],
  "products.test.ts": ["product list", "product show", "product schema"],
  "reinstall.test.ts": [
    "service reinstall",
    "service password",
    "service backups",
    "service backup",
    "service restore",
    "service backup delete",
  ],
  "server.test.ts": [
    "service capture",
    "service sshkeys",
    "service sshkey add",
    "service sshkey delete",
    "service provider",
    "service run",
    "image list",
    "image delete",
  ],
  "services.test.ts": ["service list", "service show", "service suspend", "service unsuspend", "service terminate"],
};

const acts = registry.all.flatMap(({ api, command, routes: [act = ""] }) =>
  api === "reseller" ? [{ command: command.replace("reseller ", ""), act: anyId(act) }] : [],
);
const seen = new Set<string>();

/** Notes at its end what a story has shown; what it forgets of the platform's calls on its way counts as well. */
export function noteShown(story: Pick<Story, "app" | "platform">): void {
  const { platform } = story;
  const accepted = new Set<string>();
  function keep(): void {
    for (const { method, path, status } of platform.calls()) {
      const match = matchRoute(method, path.replace(/^\/reseller/, ""));
      if (match && status !== null && status < 300) accepted.add(anyId(`${method} ${match.route.path}`));
    }
  }
  const clear = platform.clearCalls;
  platform.clearCalls = () => {
    keep();
    clear();
  };
  onTestFinished(async () => {
    keep();
    // Its app may be another by now: stories restart it.
    const counted = await (await fetch(`${story.app.url}/metrics`)).text();
    for (const { command, act } of acts) {
      const taken = counted.includes(`rackbell_commands_total{command="reseller ${command}",outcome="ok"}`);
      if (taken && accepted.has(act)) seen.add(command);
    }
  });
}

/** The spec calls the same id by several names. */
function anyId(route: string): string {
  return route.replace(/\{\w+\}/g, "{}");
}

// Lets each file prove its lines of the table.
proveAtEnd(import.meta.dirname, (file) => {
  const left = (shown[file] ?? []).filter((command) => !seen.has(command));
  seen.clear();
  return left;
});
