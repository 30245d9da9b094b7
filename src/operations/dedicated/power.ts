import * as z from "zod";
import { type Answer, type Step, unsure } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Dedicated, powerDedicated, readDedicated } from "../../platform/customer/dedicated.ts";
import { code } from "../../views/text.ts";
import { dedicated, nameOf, powerOf } from "./dedicated.ts";

/** Both endpoints of the spec for power: the action in the body, and in the path. */

/** The firmware of a dedicated server alone takes minutes. */
const pace = { every: 10_000, deadline: 20 * 60_000, handle: z.object({ wanted: z.enum(["on", "off"]) }) };

async function look(client: CustomerClient, id: string, wanted: "on" | "off") {
  const found = await readDedicated(client, id);
  const name = code(nameOf(found));
  const power = powerOf(found);
  if (power === wanted) return { state: "done" as const, text: `${name} is ${wanted}.`, next: wayBack(id, wanted) };
  const now = power === null ? "" : ` The platform reads ${code(power)}.`;
  return { state: "working" as const, text: `Switching ${name} ${wanted}.${now}` };
}

function wayBack(target: string, power: "on" | "off"): Step[] {
  const show = { label: "Show", command: "dedicated show", target };
  return power === "off" ? [{ label: "Switch on", command: "dedicated on", target, style: "primary" }, show] : [show];
}

async function turn(client: CustomerClient, target: Dedicated, wanted: "on" | "off"): Promise<Answer> {
  const accepted = await powerDedicated(client, target.id, wanted);
  const name = code(nameOf(target));
  if (accepted?.completed) return { text: `${name} is switched ${wanted}.`, next: wayBack(target.id, wanted) };
  // A server that does not report its power cannot be tracked.
  if (powerOf(target) === null)
    return {
      text: `${name} is told to switch ${wanted}. The platform does not tell here when it has; look at its power status in a minute.`,
      endUnknown: true,
      next: [{ label: "Power status", command: "dedicated status", target: target.id }],
    };
  return { text: `Switching ${name} ${wanted}.`, handle: { wanted } };
}

export const on = defineOperation({
  command: "dedicated on",
  summary: "Switch a dedicated server on",
  act: powerDedicated,
  aliases: ["POST /dedicated/{id}/power/{action}"],
  reads: [readDedicated],
  risk: "change",
  verb: "Switch on",
  target: dedicated,
  bulk: true,
  input: z.object({}),
  run: ({ client, target }) => turn(client, target, "on"),
  reconcile: unsure("`/dedicated status` shows whether the server is on."),
  follow: { ...pace, poll: ({ client, targetId }, { wanted }) => look(client, targetId, wanted) },
});

export const off = defineOperation({
  command: "dedicated off",
  summary: "Shut a dedicated server down and switch it off",
  act: powerDedicated,
  aliases: ["POST /dedicated/{id}/power/{action}"],
  reads: [readDedicated],
  risk: "change",
  verb: "Switch off",
  target: dedicated,
  bulk: true,
  input: z.object({}),
  interrupts: "Everything that runs on it stops, and it stays off until it is switched on.",
  run: ({ client, target }) => turn(client, target, "off"),
  reconcile: unsure("`/dedicated status` shows whether the server is on."),
  follow: { ...pace, poll: ({ client, targetId }, { wanted }) => look(client, targetId, wanted) },
});

export const restart = defineOperation({
  command: "dedicated restart",
  summary: "Restart a dedicated server",
  act: powerDedicated,
  aliases: ["POST /dedicated/{id}/power/{action}"],
  reads: [readDedicated],
  risk: "change",
  target: dedicated,
  bulk: true,
  input: z.object({}),
  interrupts: "Everything that runs on it is interrupted while it restarts; metal takes minutes for that.",
  async run({ client, target }) {
    await powerDedicated(client, target.id, "restart");
    return {
      text: `${code(nameOf(target))} is told to restart. It reads as on all the while, so the platform does not tell when it is back.`,
      endUnknown: true,
      next: [{ label: "Power status", command: "dedicated status", target: target.id }],
    };
  },
  reconcile: unsure("`/dedicated status` shows whether the server is on."),
});
