import { z } from "zod";
import { badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { captureDisk } from "../../provisioning/capture.ts";
import type { CustomImage } from "../../world/custom-image.ts";
import { refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";

export const imageRoutes: Route[] = [
  { method: "POST", path: "/services/{serviceId}/capture", scope: "services", handle: capture },
  { method: "GET", path: "/images", scope: "read", handle: list },
  { method: "DELETE", path: "/images/{imageId}", scope: "services", handle: remove },
];

const body = z.object({
  name: z.string("name is required").trim().min(1, "name is required").max(120, "name has at most 120 characters"),
});

function capture(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  if (service.kind !== "vps" || service.provider !== "native") throw badRequest("Only a native VPS can be captured");
  if (!service.capabilities.images) throw forbidden("Capturing is switched off for this product");
  const { name } = readBody(call, body);
  const { id, status } = captureDisk(call.world, service, { name, description: null });
  return underName(call, "image", { id, status }, 202);
}

function list(call: Call) {
  const rows = captured(call).map(({ id, name, status, size_bytes, virtual_size_bytes, created_at }) => {
    return { id, name, status, size_bytes, virtual_size_bytes, created_at };
  });
  return underName(call, "images", rows);
}

/** Deletes the image, which ends its billing. */
function remove(call: Call) {
  const image = captured(call).find(({ id }) => id === param(call, "imageId").toLowerCase());
  if (image === undefined) throw notFound("Image");
  if (image.status === "capturing") throw conflict("The image is still being captured");
  call.world.customImages.delete(image.id);
  return ok({ deleted: true });
}

/** A key that is bound to a customer has no images. */
function captured({ world, partner, key }: Call): CustomImage[] {
  if (key.customer !== null) return [];
  const { failedCaptures } = world.settings.shapes;
  return [...world.customImages.values()].filter(({ holder, source_kind: kind, status }) => {
    const isShown = status !== "error" || failedCaptures === "listed";
    return holder === partner.holder && kind === "capture" && isShown;
  });
}
