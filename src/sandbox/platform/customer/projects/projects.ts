// customer/projects/: projects, and what else is kept in one: SSH keys and custom images (spec 4.7).
// May import: http/, world/, customer/request/.

import { notFound } from "../../http/refusal.ts";
import { findProject, type Project, projectsOf } from "../../world/project.ts";
import { holderOf } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import { type Call, param, type Route } from "../request/call.ts";
import { placed, placedList } from "../request/shapes.ts";

export const projectRoutes: Route[] = [
  { method: "GET", path: "/projects", scope: "read", handle: list },
  { method: "GET", path: "/projects/{id}", takesSlug: true, scope: "read", handle: show },
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
  return placed(call, "project", row(call.world, projectOf(call)));
}

export function projectOf(call: Call): Project {
  const project = findProject(call.world, call.user, param(call, "id"));
  if (project === undefined || !visible(call, project)) throw notFound("Project");
  return project;
}

/** A bound key cannot see another project; narrowing alone hides none. */
function visible(call: Call, project: Project): boolean {
  return call.key.project === null || call.key.project === project.id;
}

export function row(world: World, project: Project) {
  const { holder, ...shown } = project;
  return { ...shown, resources: contents(world, project) };
}

export function contents(world: World, project: Project) {
  const count = (things: Iterable<{ project_id: string }>) =>
    [...things].filter((thing) => thing.project_id === project.id).length;
  return {
    services: count(world.services.values()),
    orders: count(world.orders.values()),
    custom_images: count(world.customImages.values()),
    ssh_keys: count(world.sshKeys.values()),
  };
}
