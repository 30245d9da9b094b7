import { powerVps, type Vps, vpsActs } from "../../platform/customer/vps.ts";
import { powerIn, powerOf, powers, type SeenPower } from "../kits/power.ts";
import { isInState, vps, vpsState } from "./vps.ts";

/** The hypervisor reports each VPS from time to time, so that even a reboot is seen. */
export function vpsPower(row: Vps): SeenPower {
  const state = row.instance?.state;
  const failed = state === "error" || state === "orphaned";
  return {
    power: powerIn(state),
    standing: failed ? `is in state ${vpsState(row)} now` : isInState(vpsState(row)),
    report: row.instance?.updated_at ?? "",
    failed,
  };
}

export const vpsPace = { every: 3_000, deadline: 10 * 60_000 };

type VpsAct = keyof typeof vpsActs;
type VpsRoute = (typeof powerVps | (typeof vpsActs)[VpsAct])["route"];

const { one, byName } = powerOf<"customer", Vps, VpsRoute, VpsAct>({
  command: (verb) => `vps ${verb}`,
  target: vps,
  act: powerVps,
  agents: "by rule",
  pace: vpsPace,
  send: (client, { id }, action) => vpsActs[action](client, id),
  look: async (_, row) => vpsPower(row),
  reports: true,
});

export const start = one("start", { act: vpsActs.start, summary: "Start a VPS", example: "/vps start worker-2" });
export const stop = one("stop", {
  act: vpsActs.stop,
  summary: "Stop a VPS: shut it down, and switch it off if it does not shut down",
  example: "/vps stop web-1",
  synonyms: [...(powers.stop.synonyms ?? []), { words: "shutdown", exact: true }],
});
export const reboot = one("reboot", {
  act: vpsActs.reboot,
  summary: "Reboot a VPS",
  example: "/vps reboot web-1",
  synonyms: [{ words: "restart", exact: true }],
});
export const power = byName(
  {
    summary: "Send a VPS a power action by name; poweroff cuts the power without a shutdown",
    example: "/vps power web-1 action=restart",
  },
  powerVps,
  (client, { id }, action) => powerVps(client, id, action),
);
