import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, featureDisabled, notFound, Refusal } from "../../http/refusal.ts";
import { type ApiResponse, ok } from "../../http/response.ts";
import { installServer, refuseUnlessBound } from "../../provisioning/hypervisor.ts";
import type { Dedicated } from "../../world/service.ts";
import type { World } from "../../world/world.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { aliased, type Call, readBody } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { refused } from "../request/envelope.ts";
import { passwordBody } from "./reinstall.ts";
import { usageOf } from "./stats.ts";

export function dedicatedOf(call: Call): Dedicated {
  const service = serviceOf(call);
  if (service.kind !== "dedicated") throw notFound("Dedicated server");
  return service;
}

export const powerBody = z.object({ action: z.string("action is required") });

const outcome: Record<string, "on" | "off"> = { on: "on", off: "off", restart: "on" };

/** Power over the management controller; a failed attempt counts against the cool-down, too. */
export function dedicatedPower(call: Call, server: Dedicated, action: string): ApiResponse {
  const { world } = call;
  refuseWithoutInventory(world);
  const state = outcome[action];
  if (state === undefined) throw badField("action", "action must be on, off or restart");
  refuseOutOfService(server);
  return cooled(call, "dedicatedPower", server.id, () => {
    refuseUnlessBound(server);
    if (server.controller_broken) {
      call.cooldowns.count("dedicatedPower", call.user.id, server.id);
      return refused(new Refusal(424, "PROVIDER_ERROR", "The management controller did not complete the action"));
    }
    const kind = ({ on: "start", off: "shutdown" } as const)[action] ?? "reboot";
    const job = world.jobs.start(kind, server.id, () => {
      server.power_state = state;
    });
    return ok({ completed: false, pending: true, job_id: job, state: server.power_state, status: "requested" });
  });
}

const reinstallBody = aliased(
  { osImageId: ["os_image_id", "image_id"] },
  z.object({ osImageId: z.string("osImageId is required") }),
);

export function dedicatedReinstall(call: Call, server: Dedicated) {
  refuseWithoutInventory(call.world);
  refuseOutOfService(server);
  const { osImageId } = readBody(call, reinstallBody);
  if (!server.templates.some((image) => image.id === osImageId)) {
    throw badField("osImageId", "This image is not available for this server");
  }
  return cooled(call, "reinstall", server.id, () => {
    refuseUnlessBound(server);
    return ok({ job_id: installServer(call.world, server) }, { message: "The installation has started" });
  });
}

/** On servers that a provisioning system manages this rebuilds them; on others only what is stored changes. */
export function dedicatedPassword(call: Call, server: Dedicated) {
  refuseWithoutInventory(call.world);
  refuseOutOfService(server);
  const { password } = readBody(call, passwordBody);
  return cooled(call, "password", server.id, () => {
    refuseUnlessBound(server);
    const rebuild = server.provisioning_managed;
    call.world.passwords.set(server.id, password);
    const job = rebuild ? installServer(call.world, server) : randomUUID();
    return ok({
      available: call.world.settings.shapes.passwordAvailable,
      job_id: job,
      user: "root",
      ...(rebuild ? { rebuilding: true } : {}),
    });
  });
}

export function dedicatedStats(call: Call, server: Dedicated) {
  refuseWithoutInventory(call.world);
  return ok(usageOf(call, server.id));
}

function refuseWithoutInventory(world: World): void {
  if (!world.settings.modules.inventory) throw featureDisabled("This module");
}
