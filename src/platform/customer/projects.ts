import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";
import { readList } from "./list.ts";

const count = z.int().nonnegative();

/** What a project holds; the default one's counts include everything that was never assigned. Spec section 2.11. */
export const Project = z.object({
  id: z.string().min(1),
  slug: z.string().min(1),
  name: z.string(),
  description: z.string().nullish(),
  is_default: z.boolean(),
  color: z.string().nullish(),
  resources: z.object({ services: count, orders: count, custom_images: count, ssh_keys: count }),
  created_at: DateTime.nullish(),
});
export type Project = z.infer<typeof Project>;

/** GET /projects. Spec sections 2.11 and 4.7. */
export function listProjects(client: CustomerClient): Promise<Project[]> {
  return readList(client, "/projects", "projects", Project);
}

/** The fields of a project that can be set. Spec section 2.8. */
export interface ProjectFields {
  name: string;
  slug?: string;
  description?: string;
  color?: string;
}

/** Ids of what is to move, by kind. Spec section 2.8. */
export interface Movables {
  services?: string[];
  orders?: string[];
  custom_images?: string[];
  ssh_keys?: string[];
}

/** What creating or changing a project answers: at least who it is. */
const Named = z.object({ id: z.string().min(1), slug: z.string().min(1), name: z.string() });
export type NamedProject = z.infer<typeof Named>;

/** What a move answers; `skipped` tells of ids that could not be resolved, in a shape that the spec does not show. */
export const Moved = z.looseObject({ skipped: z.unknown().optional() }).nullish();
export type Moved = z.infer<typeof Moved>;

/** GET /projects/{id}, by id or slug. Spec sections 2.11 and 4.7. */
export async function readProject(client: CustomerClient, id: string): Promise<Project> {
  return (await client.get(path("/projects/{id}", { id }), dataOf("project", Project))).data;
}

/** POST /projects. Spec sections 2.8 and 4.7. */
export async function createProject(client: CustomerClient, fields: ProjectFields): Promise<NamedProject> {
  return (await client.send("POST", "/projects", dataOf("project", Named), fields)).data;
}

/** PATCH /projects/{id}. Spec sections 2.8 and 4.7. */
export async function changeProject(
  client: CustomerClient,
  id: string,
  fields: Partial<ProjectFields>,
): Promise<NamedProject> {
  return (await client.send("PATCH", path("/projects/{id}", { id }), dataOf("project", Named), fields)).data;
}

/** DELETE /projects/{id}: 409 while it holds anything, unless that goes to `reassignTo` (id or slug). Keys bound to it stop working. Spec section 4.7. */
export async function deleteProject(client: CustomerClient, id: string, reassignTo?: string): Promise<void> {
  await client.send("DELETE", { ...path("/projects/{id}", { id }), query: { reassignTo } }, done);
}

/** POST /projects/{id}/move: takes the named resources into the project. Spec sections 2.8 and 4.7. */
export async function moveToProject(client: CustomerClient, id: string, what: Movables): Promise<Moved> {
  return (await client.send("POST", path("/projects/{id}/move", { id }), z.object({ data: Moved }), what)).data;
}
