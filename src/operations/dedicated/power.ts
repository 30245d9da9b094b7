import { dedicatedParts, powerDedicated } from "../../platform/customer/dedicated.ts";
import { ownValue } from "../../process/own-value.ts";
import { controllerPower, powerOf, type SeenPower } from "../kits/power.ts";
import { dedicated, readPower } from "./dedicated.ts";

/** The actions and the states in the words of the management controller. */
const actions = { start: "on", stop: "off", restart: "restart" } as const;
const states: Record<string, SeenPower> = {
  on: { power: "running", standing: "is on" },
  off: { power: "stopped", standing: "is off" },
};

const { one } = powerOf({
  command: (verb) => `dedicated ${verb}`,
  agents: "by rule",
  target: dedicated,
  act: powerDedicated,
  reads: [dedicatedParts["power-status"]],
  // The firmware of a dedicated server alone takes minutes, and each poll is two calls.
  pace: { every: 20_000, deadline: 20 * 60_000 },
  slow: true,
  send: (client, { id }, action: keyof typeof actions) => powerDedicated(client, id, actions[action]),
  async look(client, { id }) {
    const word = await readPower(client, id);
    return ownValue(states, word ?? "") ?? controllerPower(word);
  },
  steps: ({ id: target }, power) => [
    power === "stopped"
      ? { label: "Switch on", command: "dedicated on", target, style: "primary" }
      : { label: "Power status", command: "dedicated status", target },
    { label: "Show", command: "dedicated show", target },
  ],
});

export const on = one("start", {
  as: "on",
  summary: "Switch a dedicated server on",
  example: "/dedicated on metal-2",
  verb: "Switch on",
  synonyms: ["start", "boot"],
});
export const off = one("stop", {
  as: "off",
  summary: "Shut a dedicated server down and switch it off",
  example: "/dedicated off metal-1",
  verb: "Switch off",
  synonyms: ["stop", "shutdown", "halt"],
  interrupts: "Everything that runs on it stops, and it stays off until it is switched on.",
});
export const restart = one("restart", {
  summary: "Restart a dedicated server",
  example: "/dedicated restart metal-1",
  synonyms: ["reboot"],
  interrupts: "Everything that runs on it is interrupted while it restarts; a physical server takes minutes for that.",
});
