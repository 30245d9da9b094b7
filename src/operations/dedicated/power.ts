import * as z from "zod";
import { type Progress, type Step, type TrackedAnswer, unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { type Dedicated, powerDedicated, readDedicated } from "../../platform/customer/dedicated.ts";
import type { AcceptedAction } from "../../platform/customer/jobs.ts";
import { code } from "../../views/text.ts";
import { powerEffects } from "../kits/power.ts";
import { dedicated, powerOf, serverName } from "./dedicated.ts";

type Power = "on" | "off";

/** The members that all three operations have. */
const powerCommon = {
  act: powerDedicated,
  // The spec has two endpoints for power: the action is in the body, or in the path.
  aliases: ["POST /dedicated/{id}/power/{action}"],
  agents: "by rule",
  group: "power",
  target: dedicated,
  bulk: true,
  input: z.object({}),
  reconcile: unsure("`/dedicated status` shows whether the server is on."),
} as const;

function statusStep(target: string): Step {
  return { label: "Power status", command: "dedicated status", target };
}

function stepsAfter(target: string, power: Power): Step[] {
  const show = { label: "Show", command: "dedicated show", target };
  return power === "off" ? [{ label: "Switch on", command: "dedicated on", target, style: "primary" }, show] : [show];
}

function switched(server: Dedicated, wanted: Power, accepted: AcceptedAction): TrackedAnswer<{ wanted: Power }> {
  const name = code(serverName(server));
  if (accepted?.completed)
    return { text: `${name} is switched ${wanted}.`, next: stepsAfter(server.id, wanted), handle: null };
  // A server that does not report its power cannot be tracked.
  if (powerOf(server) === null)
    return {
      text: `${name} was sent the command to switch ${wanted}. The platform does not show when that is done. Check the power status in a minute.`,
      endUnknown: true,
      next: [statusStep(server.id)],
      handle: null,
    };
  return { text: `Switching ${name} ${wanted}.`, handle: { wanted } };
}

function progressOf(server: Dedicated, wanted: Power): Progress {
  const name = code(serverName(server));
  const power = powerOf(server);
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: stepsAfter(server.id, wanted) };
  const now = power === null ? "" : ` The platform reads ${code(power)}.`;
  return { state: "working", text: `Switching ${name} ${wanted}.${now}` };
}

function switchOperation(wanted: Power, words: { summary: string; interrupts?: string; synonyms: string[] }) {
  return defineOperation({
    ...powerCommon,
    ...words,
    risk: "change",
    effects: powerEffects(wanted === "on" ? "start" : "stop"),
    command: `dedicated ${wanted}`,
    does: [wanted === "on" ? "start" : "stop"],
    verb: `Switch ${wanted}`,
    run: async ({ client, target }) => switched(target, wanted, await powerDedicated(client, target.id, wanted)),
    follow: {
      // The firmware of a dedicated server alone takes minutes.
      every: 10_000,
      deadline: 20 * 60_000,
      handle: z.object({ wanted: z.enum(["on", "off"]) }),
      poll: async ({ client, targetId }, handle) => progressOf(await readDedicated(client, targetId), handle.wanted),
    },
  });
}

export const on = switchOperation("on", { summary: "Switch a dedicated server on", synonyms: ["start", "boot"] });
export const off = switchOperation("off", {
  summary: "Shut a dedicated server down and switch it off",
  synonyms: ["stop", "shutdown", "halt"],
  interrupts: "Everything that runs on it stops, and it stays off until it is switched on.",
});

export const restart = defineOperation({
  ...powerCommon,
  command: "dedicated restart",
  risk: "change",
  effects: powerEffects("restart"),
  synonyms: ["reboot"],
  summary: "Restart a dedicated server",
  interrupts: "Everything that runs on it is interrupted while it restarts; a physical server takes minutes for that.",
  async run({ client, target, name }) {
    await powerDedicated(client, target.id, "restart");
    return {
      text: `${name} was sent the command to restart. Its power reads as on all the time, so the platform does not show when the server is back.`,
      endUnknown: true,
      next: [statusStep(target.id)],
    };
  },
});
