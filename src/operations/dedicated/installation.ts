import * as z from "zod";
import type { Json, Progress } from "../../operation/answer.ts";
import type { Dedicated } from "../../platform/customer/dedicated.ts";
import { code, prose } from "../../views/text.ts";
import { nameOf } from "./dedicated.ts";

type Installation = "in_progress" | "completed" | "failed";
const words: readonly string[] = ["in_progress", "completed", "failed"] satisfies Installation[];

/** How the installation of an operating system is: the spec names the words (section 3.3), not where they stand in a dedicated server. */
export function installationOf({ os_installation: told }: Dedicated): Installation | null {
  const found = textsIn(told).find((text): text is Installation => words.includes(text));
  return found ?? null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What tells a server before an installation from one that has begun. */
export function traceOf(server: Dedicated): Json {
  return { installation: installationOf(server), provisioning: server.provisioning?.provision_state ?? null };
}

export const installationPace = { every: 15_000, deadline: 3 * 60 * 60_000, handle: z.object({}) };

const stages = ["Asked for", "Erase the disks and install"];

/** How far an installation is, while the member waits for it. */
export function installationProgress(server: Dedicated, since: number, now: number): Progress {
  const name = code(nameOf(server));
  const show = { label: "Show", command: "dedicated show", target: server.id };
  const installation = installationOf(server);
  const provision = server.provisioning?.provision_state;
  const told = provision ? ` Its provisioning reads “${prose(provision, 60)}”.` : "";
  if (installation === "failed")
    return {
      state: "failed",
      text: `The installation of ${name} failed.${told} Its disks are erased; try once more, or another system.`,
      plan: { stages, at: 1 },
      next: [show, { label: "Reinstall…", command: "dedicated reinstall", target: server.id }],
    };
  // Just accepted, the platform may still tell of the installation before.
  if (installation === "completed" && now - since > 10_000)
    return { state: "done", text: `${name} is installed anew.`, next: [show], plan: { stages, at: 1 } };
  return { state: "working", text: `Installing ${name} anew.${told}`, plan: { stages, at: 1 } };
}
