import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isPublicHost } from "../../http/public-host.ts";
import { conflict, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type CustomImage, imageRow } from "../../world/custom-image.ts";
import { holderOf } from "../../world/users.ts";
import { isoNow } from "../../world/world.ts";
import { inScope, wantedProject } from "../request/access.ts";
import { aliased, type Call, managing, type Route, readBody, viewing } from "../request/call.ts";
import { placedList, underName } from "../request/envelope.ts";

export const customImageRoutes: Route[] = [
  { ...viewing, path: "/custom-images", handle: list },
  { ...viewing, path: "/custom-images/{id}", handle: show },
  { ...managing, path: "/custom-images", handle: register },
  { ...managing, method: "DELETE", path: "/custom-images/{id}", handle: remove },
];

function list(call: Call) {
  return placedList(call, "custom_images", myImages(call).map(imageRow));
}

function show(call: Call) {
  return underName(call, "custom_image", imageRow(imageOf(call)));
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

const GiB = 1024 ** 3;

const registrationBody = aliased(
  { sourceUrl: ["source_url"], sha256: ["source_sha256"], osFamily: ["os_family"], projectId: ["project_id"] },
  z.object({
    name: z.string("name is required").trim().min(1, "name is required").max(120, "name has at most 120 characters"),
    sourceUrl: z
      .string("sourceUrl is required")
      .max(2000, "sourceUrl has at most 2000 characters")
      .refine(isHttps, "sourceUrl must be an https address")
      .refine((url) => !hasCredentials(url), "sourceUrl must hold no credentials")
      .refine((url) => !URL.canParse(url) || isPublicHost(new URL(url).hostname), "sourceUrl must be on a public host"),
    sha256: z.string("sha256 is required").regex(/^[0-9a-f]{64}$/, "sha256 must be 64 lowercase hexadecimal digits"),
    description: z.string().max(2000, "description has at most 2000 characters").optional(),
    osFamily: z.string().default("linux"),
    projectId: z.string().optional(),
  }),
);

/** Registers an image that the customer hosts; the bytes are fetched and checked when it is used. */
function register(call: Call) {
  const { world } = call;
  const { name, sourceUrl, sha256, description, osFamily, projectId } = readBody(call, registrationBody);
  const holder = holderOf(call.user);
  const project = wantedProject(call, projectId);
  const existing = [...world.customImages.values()].filter((image) => image.holder === holder);
  if (existing.some((image) => image.project_id === project.id && image.name === name)) {
    throw conflict("An image in this project already has this name");
  }
  if (existing.length >= world.settings.customImagesMax) throw conflict("The maximum number of images is held");
  const now = isoNow(world);
  const image: CustomImage = {
    id: randomUUID(),
    holder,
    project_id: project.id,
    name,
    description: description ?? null,
    source_kind: "external",
    status: "available",
    size_bytes: 2 * GiB,
    virtual_size_bytes: 20 * GiB,
    source_url: sourceUrl,
    source_sha256: sha256,
    os_family: osFamily,
    error: null,
    available_at: now,
    created_at: now,
    node_full: false,
  };
  world.customImages.set(image.id, image);
  return success(201, imageRow(image));
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== "" || password !== "";
}
