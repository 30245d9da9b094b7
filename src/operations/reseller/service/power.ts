import { nullIfRefused } from "../../../platform/http/errors.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type LifecycleAction, powerService } from "../../../platform/reseller/lifecycle.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { prose } from "../../../views/text.ts";
import { powerIn, powerOf, powers, powerWord, type SeenPower, type SwitchedState } from "../../kits/power.ts";
import { requireNotOver, requireNotSuspended, resoldService, soldWords } from "./service.ts";

/** The management controller of a dedicated server does not answer, or it has none: the server takes no power action. */
export const unreachable = "unreachable";

/** The power state in statistics, or `unreachable`; null where they have none. */
export function stateIn(stats: Stats): string | null {
  if (stats.of === "vps") return stats.figures?.status ?? null;
  if (stats.of === "provider") return null;
  const power = powerWord(stats.figures.powerState);
  if (power === unreachable) return unreachable;
  const words: Record<string, SwitchedState> = { on: "running", off: "stopped" };
  return power === null || /^un/.test(power) ? null : (words[power] ?? power);
}

/** The power in the service's statistics; no other route shows it. Reseller spec section 2.4. */
async function look(client: ResellerClient, { serviceId }: Service): Promise<SeenPower> {
  // The platform answers 400 for a game server, and 503 where the provider's plugin refuses. Reseller spec sections 2.4 and 7.
  const stats = await readStats(client, serviceId).catch(nullIfRefused(400, 503));
  const word = stats && stateIn(stats);
  if (word === null || word === unreachable)
    return { power: null, standing: "has a provider that does not show here if it runs" };
  return { power: powerIn(word), standing: `is ${prose(word, 60)}` };
}

const { one } = powerOf({
  command: (verb) => `reseller service ${verb}`,
  agents: "by rule",
  target: resoldService,
  act: powerService,
  reads: [readStats],
  // The firmware of a dedicated server alone takes minutes to start.
  pace: { every: 5_000, deadline: 20 * 60_000 },
  send: async (client, { serviceId }, action: LifecycleAction) =>
    (await powerService(client, serviceId, action)).alreadyInState ? "already" : "begun",
  look,
  calls: soldWords,
  refuse: (row, action) => (action === "start" ? requireNotSuspended(row) : requireNotOver(row)),
});

export const start = one("start", { summary: "Start a resold service", example: "/reseller service start worker-1" });
export const stop = one("stop", {
  summary: "Stop a resold service",
  example: "/reseller service stop web-2",
  synonyms: [...(powers.stop.synonyms ?? []), { words: "shutdown", exact: true }],
});
export const restart = one("restart", {
  summary: "Restart a resold service",
  example: "/reseller service restart web-2",
  synonyms: ["reboot"],
});
