import * as z from "zod";
import type { Json, Progress } from "../../operation/answer.ts";
import type { Dedicated } from "../../platform/customer/dedicated.ts";
import { code, prose } from "../../views/text.ts";
import { nameOf } from "./dedicated.ts";

type Installation = "in_progress" | "completed" | "failed";
const words: readonly string[] = ["in_progress", "completed", "failed"] satisfies Installation[];

/**
 * The state of an installation. The spec names the words (section 3.3), but not their place in a dedicated server, so every text
 * is searched.
 */
export function installationOf({ os_installation: reported }: Dedicated): Installation | null {
  const found = textsIn(reported).find((text): text is Installation => words.includes(text));
  return found ?? null;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The state before an installation, to detect that one has begun since. */
export function traceOf(server: Dedicated): Json {
  return { installation: installationOf(server), provisioning: server.provisioning?.provision_state ?? null };
}

export const installationPace = { every: 15_000, deadline: 3 * 60 * 60_000, handle: z.object({}) };

const stages = ["Asked for", "Erase the disks and install"];

/** The progress of an installation that the app tracks. */
export function installationProgress(server: Dedicated, since: number, now: number): Progress {
  const name = code(nameOf(server));
  const show = { label: "Show", command: "dedicated show", target: server.id };
  const installation = installationOf(server);
  const provision = server.provisioning?.provision_state;
  const provisionWords = provision ? ` Its provisioning reads “${prose(provision, 60)}”.` : "";
  if (installation === "failed")
    return {
      state: "failed",
      text: `The installation of ${name} failed.${provisionWords} Its disks are erased; try once more, or another system.`,
      plan: { stages, at: 1 },
      next: [show, { label: "Reinstall…", command: "dedicated reinstall", target: server.id }],
    };
  // Right after the call the platform may still report the installation before.
  if (installation === "completed" && now - since > 10_000)
    return { state: "done", text: `${name} is installed anew.`, next: [show], plan: { stages, at: 1 } };
  return { state: "working", text: `Installing ${name} anew.${provisionWords}`, plan: { stages, at: 1 } };
}
