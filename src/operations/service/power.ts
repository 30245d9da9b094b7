import type { CustomerClient } from "../../platform/customer/client.ts";
import { powerService, readService, type ServiceDetail } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { type PowerAction, powerOf } from "../kits/power.ts";
import { vpsPace, vpsPower } from "../vps/power.ts";
import { askProvider } from "./provider.ts";
import { machine } from "./service.ts";

const send = (
  client: CustomerClient<"POST /services/{id}/power/{action}">,
  { service }: ServiceDetail,
  action: PowerAction,
) => askProvider(service, action, () => powerService(client, service.id, action));

const { one, byName } = powerOf({
  command: (verb) => `service ${verb}`,
  target: machine,
  act: powerService,
  reads: [readService, readVps],
  pace: vpsPace,
  send,
  // The platform reports the power of a VPS alone.
  look: async (client, { service: { id, serviceType } }) =>
    serviceType === "vps"
      ? vpsPower(await readVps(client, id))
      : { power: null, standing: "does not show its power to Rackbell" },
  reports: true,
});

export const power = byName(
  {
    summary: "Send a service a power action by name; poweroff cuts the power without a shutdown",
    example: "/service power web-1 action=restart",
  },
  powerService,
  send,
);
export const start = one("start", { summary: "Start a service", example: "/service start worker-2" });
export const stop = one("stop", { summary: "Stop a service", example: "/service stop web-1" });
export const restart = one("restart", { summary: "Restart a service", example: "/service restart web-1" });
export const reboot = one("reboot", { summary: "Reboot a service", example: "/service reboot web-1" });
export const shutdown = one("shutdown", { summary: "Shut a service down", example: "/service shutdown web-1" });
