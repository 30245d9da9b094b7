import { z } from "zod";
import { badField, conflict, forbidden } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { refuseDuringDiskJob, refuseUnlessMachineAnswers, startReinstall } from "../../provisioning/hypervisor.ts";
import type { Vps } from "../../world/service.ts";
import { refuseOutOfService, refuseWithoutVpsModule } from "../request/access.ts";
import { aliased, type Call, readBody } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { pluginPassword, pluginReinstall } from "./plugins.ts";

const passwordField = z.string("password is required").min(8, "password must have at least 8 characters");
const reinstallBody = aliased(
  { image_id: ["os_image_id", "osImageId", "template"] },
  z.object({ image_id: z.string("image_id is required"), password: passwordField }),
);
export const passwordBody = z.object({ password: passwordField });

export function reinstall(call: Call, vps: Vps) {
  const { world } = call;
  refuseOutOfService(vps);
  refuseWithoutVpsModule(world, vps);
  if (!vps.capabilities.provider_dependent && !vps.capabilities.reinstall) {
    throw forbidden("Reinstalling is not available for this product");
  }
  const { image_id, password } = readBody(call, reinstallBody);
  const image = vps.templates.find((template) => template.id === image_id);
  if (image === undefined) throw badField("image_id", "This image is not available for this server");
  if (vps.capabilities.provider_dependent) return pluginReinstall(call, vps, image);
  return cooled(call, "reinstall", vps.id, () => {
    refuseUnlessMachineAnswers(world, vps);
    refuseDuringDiskJob(vps);
    world.passwords.set(vps.id, password);
    return ok({ job_id: startReinstall(world, vps, image.name) }, { message: "The reinstallation has started" });
  });
}

export function password(call: Call, vps: Vps) {
  refuseOutOfService(vps);
  refuseWithoutVpsModule(call.world, vps);
  if (!vps.capabilities.provider_dependent && !vps.capabilities.password_reset) {
    throw forbidden("Password reset is not available for this product");
  }
  const { password } = readBody(call, passwordBody);
  if (vps.capabilities.provider_dependent) return pluginPassword(call, vps);
  return cooled(call, "password", vps.id, () => {
    const instance = refuseUnlessMachineAnswers(call.world, vps);
    if (instance.state !== "running") throw conflict("The machine is not running");
    call.world.passwords.set(vps.id, password);
    const job = call.world.jobs.start("password", vps.id, () => {});
    const user = instance.os?.startsWith("Windows") === true ? "Administrator" : "root";
    return ok({ available: call.world.settings.shapes.passwordAvailable, job_id: job, user });
  });
}
