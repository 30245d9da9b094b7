import { conflict, notFound } from "../../http/refusal.ts";
import { type CustomImage, imageRow } from "../../world/custom-image.ts";
import { holderOf } from "../../world/users.ts";
import { inScope } from "../request/access.ts";
import { type Call, param, type Route } from "../request/call.ts";
import { ok } from "../request/envelope.ts";
import { placed, placedList } from "../request/shapes.ts";
import { register } from "./image-registration.ts";

export const customImageRoutes: Route[] = [
  { method: "GET", path: "/custom-images", scope: "read", permission: "services.view", handle: list },
  { method: "GET", path: "/custom-images/{id}", scope: "read", permission: "services.view", handle: show },
  { method: "POST", path: "/custom-images", scope: "services", permission: "services.manage", handle: register },
  { method: "DELETE", path: "/custom-images/{id}", scope: "services", permission: "services.manage", handle: remove },
];

function list(call: Call) {
  return placedList(call, "custom_images", myImages(call).map(imageRow));
}

function show(call: Call) {
  return placed(call, "custom_image", imageRow(imageOf(call)));
}

/** Servers that were built from it are not touched. */
function remove(call: Call) {
  const image = imageOf(call);
  if (image.status === "capturing") throw conflict("The image is still being captured");
  call.world.customImages.delete(image.id);
  return ok({ deleted: true });
}

/** Newest first. */
function myImages(call: Call): CustomImage[] {
  const holder = holderOf(call.user);
  return [...call.world.customImages.values()]
    .filter((image) => image.holder === holder && inScope(call, image.project_id))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

function imageOf(call: Call): CustomImage {
  const id = param(call, "id").toLowerCase();
  const image = myImages(call).find((one) => one.id === id);
  if (image === undefined) throw notFound("Custom image");
  return image;
}
