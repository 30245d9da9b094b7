import { badField, notFound, projectMismatch } from "../../http/refusal.ts";
import { placed } from "../../http/response.ts";
import { isUuid, seededId } from "../../world/ids.ts";
import { holderOf, type User } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import { type Call, param, type Route } from "../request/call.ts";

export interface Project {
  id: string;
  holder: string;
  slug: string;
  name: string;
  description: string | null;
  is_default: boolean;
  color: string | null;
  created_at: string;
}

/** By id or slug, among those of the user's account. */
export function findProject(world: World, user: User, named: string): Project | undefined {
  const mine = projectsOf(world, holderOf(user));
  return mine.find((project) => project.slug === named || (isUuid(named) && project.id === named.toLowerCase()));
}

export function projectsOf(world: World, holder: string): Project[] {
  return [...world.projects.values()].filter((project) => project.holder === holder);
}

export function defaultProject(world: World, holder: string): Project {
  const project = projectsOf(world, holder).find((one) => one.is_default);
  if (project === undefined) throw new Error("Every holder has a default project");
  return project;
}

export function projectRef(world: World, id: string) {
  const project = world.projects.get(id);
  if (project === undefined) throw new Error(`There is no project ${id}`);
  return { id: project.id, slug: project.slug, name: project.name };
}

/** Whether a thing in `projectId` is within what this request is narrowed to. */
export function inScope(call: Call, projectId: string): boolean {
  return call.project === null || call.project.id === projectId;
}

export function refuseBoundKey(call: Call): void {
  if (call.key.project !== null) throw projectMismatch();
}

/** Where a new thing goes: the project it names, else the one the request is narrowed to, else the default one. */
export function wantedProject(call: Call, named: string | undefined): Project {
  if (named === undefined) return call.project ?? defaultProject(call.world, holderOf(call.user));
  const project = findProject(call.world, call.user, named);
  if (call.key.project !== null && project?.id !== call.key.project) throw projectMismatch();
  if (project === undefined) throw badField("projectId", "There is no such project");
  return project;
}

export function addProject(world: World, holder: string, slug: string, name: string, isDefault = false): Project {
  const project: Project = {
    id: seededId("project", holder, slug),
    holder,
    slug,
    name,
    description: null,
    is_default: isDefault,
    color: null,
    created_at: new Date(world.clock.now() - 400 * 86_400_000).toISOString(),
  };
  world.projects.set(project.id, project);
  return project;
}

export const projectRoutes: Route[] = [
  { method: "GET", path: "/projects", scope: "read", handle: list },
  { method: "GET", path: "/projects/{id}", scope: "read", handle: show },
];

function list(call: Call) {
  const mine = projectsOf(call.world, holderOf(call.user)).filter((project) => visible(call, project));
  return placed(
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
