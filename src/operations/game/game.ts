import { Refusal } from "../../operation/errors.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { ServiceDetail } from "../../platform/customer/services.ts";
import { code } from "../../views/text.ts";
import { nameOf, service } from "../service/service.ts";

/** Game servers: the platform lists them among all services, with type game. */
export const game: TargetKind<"customer", ServiceDetail> = {
  ...service,
  noun: "game",
  label: "game server",
  card: "game show",
  among: { kind: service, type: "game" },
  async read(client, id) {
    const found = await service.read(client, id);
    if (found.service.serviceType !== "game")
      throw new Refusal(`${code(nameOf(found.service))} is no game server. Nothing changed.`);
    return found;
  },
};
