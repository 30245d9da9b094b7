import { randomUUID } from "node:crypto";
import { conflict } from "../http/refusal.ts";
import type { CustomImage } from "../world/custom-image.ts";
import type { Vps } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { refuseWhileHostIsDown } from "./hypervisor.ts";

interface NewImage {
  name: string;
  description: string | null;
}

/** Begins to store a machine's disk as an image, which is available minutes later. */
export function captureDisk(world: World, vps: Vps, details: NewImage): CustomImage {
  refuseUnlessCapturable(vps);
  const existing = [...world.customImages.values()].filter((image) => image.holder === vps.holder);
  if (existing.length >= world.settings.customImagesMax) throw conflict("The maximum number of images is held");
  if (existing.some((image) => image.project_id === vps.project_id && image.name === details.name)) {
    throw conflict("An image in this project already has this name");
  }
  refuseWhileHostIsDown(world);
  return begin(world, vps, details);
}

function refuseUnlessCapturable(vps: Vps): void {
  const { instance } = vps;
  if (instance === null || instance.state === "creating" || vps.disk_job === "build" || vps.disk_job === "reinstall") {
    throw conflict("The machine is still being built");
  }
  if (instance.state === "migrating") throw conflict("The machine is migrating");
  if (instance.state === "terminated_pending_wipe") throw conflict("The machine is being deleted");
}

function begin(world: World, vps: Vps, { name, description }: NewImage): CustomImage {
  const image: CustomImage = {
    id: randomUUID(),
    holder: vps.holder,
    project_id: vps.project_id,
    name,
    description,
    source_kind: "capture",
    status: "capturing",
    size_bytes: null,
    virtual_size_bytes: (vps.instance?.disk_gb ?? 10) * 1024 ** 3,
    source_url: null,
    source_sha256: null,
    os_family: vps.instance?.os?.startsWith("Windows") === true ? "windows" : "linux",
    error: null,
    available_at: null,
    created_at: isoNow(world),
    node_full: false,
  };
  world.customImages.set(image.id, image);
  world.jobs.start("capture", vps.id, (failed) => {
    image.status = failed ? "error" : "available";
    if (failed) {
      image.error = "The disk could not be read to its end";
      return;
    }
    image.available_at = isoNow(world);
    image.size_bytes = Math.round((image.virtual_size_bytes ?? 0) * 0.18);
  });
  return image;
}
