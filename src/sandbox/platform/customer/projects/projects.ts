// customer/projects/: projects, and what else is kept in one: SSH keys and custom images (spec 4.7).

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { badField, badRequest, conflict, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { defaultProject, findProject, type Project, projectsOf } from "../../world/project.ts";
import { holderOf } from "../../world/users.ts";
import { isoNow, type World } from "../../world/world.ts";
import { refuseBoundKey } from "../request/access.ts";
import { aliased, type Call, ending, managing, type Route, readBody } from "../request/call.ts";
import { placedList, underName } from "../request/envelope.ts";

const path = "/projects/{id}";

export const projectRoutes: Route[] = [
  { method: "GET", path: "/projects", scope: "read", handle: list },
  { method: "GET", path, takesSlug: true, scope: "read", handle: show },
  { ...managing, path: "/projects", handle: create },
  { ...managing, method: "PATCH", path, takesSlug: true, handle: update },
  { ...ending, path, takesSlug: true, handle: remove },
  { ...managing, path: `${path}/move`, takesSlug: true, handle: move },
];

function list(call: Call) {
  const mine = projectsOf(call.world, holderOf(call.user)).filter((project) => visible(call, project));
  return placedList(
    call,
    "projects",
    mine.map((project) => row(call.world, project)),
  );
}

function show(call: Call) {
  return underName(call, "project", row(call.world, projectOf(call)));
}

function projectOf(call: Call): Project {
  const project = findProject(call.world, call.user, param(call, "id"));
  if (project === undefined || !visible(call, project)) throw notFound("Project");
  return project;
}

/** A bound key cannot see another project; narrowing alone hides none. */
function visible(call: Call, project: Project): boolean {
  return call.key.project === null || call.key.project === project.id;
}

function row(world: World, project: Project) {
  const { holder, ...shown } = project;
  return { ...shown, resources: contents(world, project) };
}

function contents(world: World, project: Project) {
  const count = (resources: Iterable<{ project_id: string }>) =>
    [...resources].filter((resource) => resource.project_id === project.id).length;
  return {
    services: count(world.services.values()),
    orders: count(world.orders.values()),
    custom_images: count(world.customImages.values()),
    ssh_keys: count(world.sshKeys.values()),
  };
}

const fields = z.object({
  name: z.string("name is required").trim().min(1, "name is required").max(80, "name has at most 80 characters"),
  slug: z
    .string()
    .max(40, "slug has at most 40 characters")
    .regex(/^[a-z0-9-]+$/, "slug may hold lowercase letters, digits and hyphens")
    .optional(),
  description: z.string().max(2000, "description has at most 2000 characters").nullish(),
  color: z.string().max(20, "color has at most 20 characters").nullish(),
});

function create(call: Call) {
  refuseBoundKey(call);
  const { name, slug, description, color } = readBody(call, fields);
  const holder = holderOf(call.user);
  const project: Project = {
    id: randomUUID(),
    holder,
    slug: slug ?? slugOf(name),
    name,
    description: description ?? null,
    is_default: false,
    color: color ?? null,
    created_at: isoNow(call.world),
  };
  refuseUsedSlug(call.world, project);
  call.world.projects.set(project.id, project);
  return underName(call, "project", row(call.world, project), 201);
}

function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-+|-+$/g, "").slice(0, 40) || "project";
}

function refuseUsedSlug(world: World, project: Project): void {
  const others = projectsOf(world, project.holder).filter((one) => one.id !== project.id);
  if (others.some((one) => one.slug === project.slug)) throw conflict("Another project has this slug");
}

function update(call: Call) {
  refuseBoundKey(call);
  const project = projectOf(call);
  const { name, slug, description, color } = readBody(call, fields.partial());
  const next: Project = {
    ...project,
    name: name ?? project.name,
    slug: slug ?? project.slug,
    description: description === undefined ? project.description : description,
    color: color === undefined ? project.color : color,
  };
  refuseUsedSlug(call.world, next);
  call.world.projects.set(project.id, next);
  return underName(call, "project", row(call.world, next));
}

/** Keys that are bound to it stop working with it. */
function remove(call: Call) {
  const { world } = call;
  refuseBoundKey(call);
  const project = projectOf(call);
  if (project.is_default) throw badRequest("The default project cannot be deleted");
  const named = call.query.get("reassignTo");
  const target = named === null ? undefined : findProject(world, call.user, named);
  if (named !== null && (target === undefined || target.id === project.id)) {
    throw badField("reassignTo", "There is no such other project");
  }
  const resourceCount = Object.values(contents(world, project)).reduce((sum, count) => sum + count, 0);
  if (resourceCount > 0 && target === undefined) throw conflict(`The project still holds ${resourceCount} resources`);
  for (const resource of everythingOf(world))
    if (target && resource.project_id === project.id) resource.project_id = target.id;
  world.projects.delete(project.id);
  return ok({ deleted: true, reassigned: resourceCount });
}

function everythingOf(world: World): { project_id: string }[] {
  const { services, orders, customImages, sshKeys } = world;
  return [...services.values(), ...orders.values(), ...customImages.values(), ...sshKeys.values()];
}

const ids = z.array(z.guid("must hold uuids")).optional();
const moveBody = aliased(
  { custom_images: ["customImages"], ssh_keys: ["sshKeys"] },
  z.object({ services: ids, orders: ids, custom_images: ids, ssh_keys: ids }),
);

function move(call: Call) {
  const { world } = call;
  refuseBoundKey(call);
  const project = projectOf(call);
  const body = readBody(call, moveBody);
  const lists = Object.entries(body).filter(([, list]) => list !== undefined);
  if (lists.length === 0) throw badRequest("Name at least one list of resources");
  const collections = {
    services: world.services,
    orders: world.orders,
    custom_images: world.customImages,
    ssh_keys: world.sshKeys,
  };
  const moved: Record<string, number> = {};
  const skipped: Record<string, string[]> = {};
  for (const [kind, collection] of Object.entries(collections)) {
    const list = lists.find(([name]) => name === kind)?.[1] ?? [];
    const found = list.flatMap((id) => {
      const resource = collection.get(id.toLowerCase());
      return resource?.holder === project.holder ? [resource] : [];
    });
    skipped[kind] = list.filter((id) => !found.some((thing) => thing.id === id.toLowerCase()));
    for (const resource of found) resource.project_id = project.id;
    moved[kind] = found.length;
  }
  return ok({
    moved,
    // Of what is skipped the spec shows no more than the name.
    skipped: call.world.settings.shapes.payload === 1 ? skipped : Object.values(skipped).flat(),
    project: row(world, project),
    default_project: defaultProject(world, project.holder).slug,
  });
}
