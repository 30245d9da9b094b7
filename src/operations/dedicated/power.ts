import * as z from "zod";
import { type Answer, type Progress, type Step, unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Dedicated, powerDedicated, readDedicated } from "../../platform/customer/dedicated.ts";
import { code } from "../../views/text.ts";
import { dedicated, nameOf, powerOf } from "./dedicated.ts";

type Power = "on" | "off";

/** The members that all three operations have. */
const powerCommon = {
  act: powerDedicated,
  // The spec has two endpoints for power: the action is in the body, or in the path.
  aliases: ["POST /dedicated/{id}/power/{action}"],
  reads: [readDedicated],
  risk: "change",
  group: "power",
  target: dedicated,
  bulk: true,
  input: z.object({}),
  reconcile: unsure("`/dedicated status` shows whether the server is on."),
} as const;

const statusStep = (target: string): Step => ({ label: "Power status", command: "dedicated status", target });

async function look(client: CustomerClient, id: string, wanted: Power): Promise<Progress> {
  const found = await readDedicated(client, id);
  const name = code(nameOf(found));
  const power = powerOf(found);
  if (power === wanted) return { state: "done", text: `${name} is ${wanted}.`, next: stepsAfter(id, wanted) };
  const now = power === null ? "" : ` The platform reads ${code(power)}.`;
  return { state: "working", text: `Switching ${name} ${wanted}.${now}` };
}

function stepsAfter(target: string, power: Power): Step[] {
  const show = { label: "Show", command: "dedicated show", target };
  return power === "off" ? [{ label: "Switch on", command: "dedicated on", target, style: "primary" }, show] : [show];
}

async function turn(
  client: CustomerClient<"POST /dedicated/{id}/power">,
  target: Dedicated,
  wanted: Power,
): Promise<Answer> {
  const accepted = await powerDedicated(client, target.id, wanted);
  const name = code(nameOf(target));
  if (accepted?.completed) return { text: `${name} is switched ${wanted}.`, next: stepsAfter(target.id, wanted) };
  // A server that does not report its power cannot be tracked.
  if (powerOf(target) === null)
    return {
      text: `${name} was sent the command to switch ${wanted}. The platform does not show when that is done. Check the power status in a minute.`,
      endUnknown: true,
      next: [statusStep(target.id)],
    };
  return { text: `Switching ${name} ${wanted}.`, handle: { wanted } };
}

function switchOperation(wanted: Power, words: { summary: string; interrupts?: string; synonyms: string[] }) {
  return defineOperation({
    ...powerCommon,
    ...words,
    command: `dedicated ${wanted}`,
    agents: "by rule",
    verb: `Switch ${wanted}`,
    run: ({ client, target }) => turn(client, target, wanted),
    follow: {
      // The firmware of a dedicated server alone takes minutes.
      every: 10_000,
      deadline: 20 * 60_000,
      handle: z.object({ wanted: z.enum(["on", "off"]) }),
      poll: ({ client, targetId }, handle) => look(client, targetId, handle.wanted),
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
  agents: "by rule",
  synonyms: ["reboot"],
  summary: "Restart a dedicated server",
  interrupts: "Everything that runs on it is interrupted while it restarts; a physical server takes minutes for that.",
  async run({ client, target }) {
    await powerDedicated(client, target.id, "restart");
    return {
      text: `${code(nameOf(target))} was sent the command to restart. Its power reads as on all the time, so the platform does not show when the server is back.`,
      endUnknown: true,
      next: [statusStep(target.id)],
    };
  },
});
