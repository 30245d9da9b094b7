import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { fieldOf, ifReadable, objectOrField } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { readList } from "./list.ts";

const count = z.int().nonnegative();

/** A project with the number of resources in it. The default project also counts everything that was never assigned. Spec section 2.11. */
export const Project = z.object({
  id: z.string().min(1),
  slug: z.string().min(1),
  name: PlainText,
  description: PlainText.nullish(),
  is_default: z.boolean(),
  color: z.string().nullish(),
  resources: z.object({ services: count, orders: count, custom_images: count, ssh_keys: count }),
  created_at: DateTime.nullish(),
});
export type Project = z.infer<typeof Project>;

/** GET /projects. Spec sections 2.11 and 4.7. */
export const listProjects = endpoint(
  "GET /projects",
  (call): Promise<Project[]> => readList(call, {}, "projects", Project),
);

/** The fields of a project that can be set. Spec section 2.8. */
export interface ProjectFields {
  name: string;
  slug?: string;
  description?: string;
  color?: string;
}

/** The fields of a project to change; null clears one. */
export type ProjectChanges = { [F in keyof ProjectFields]?: ProjectFields[F] | null };

/** Ids of the resources to move, by kind. Spec section 2.8. */
export interface Movables {
  services?: string[];
  orders?: string[];
  custom_images?: string[];
  ssh_keys?: string[];
}

/** The answer to creating a project, whose slug the platform may have made. */
const NewProject = z.object({ id: z.string().min(1), slug: ifReadable(z.string().min(1)) });
export type NewProject = z.infer<typeof NewProject>;

/** GET /projects/{id}, by id or slug. Spec sections 2.11 and 4.7. */
export const readProject = endpoint(
  "GET /projects/{id}",
  (call, id: string): Promise<Project> => call.data({ id }, objectOrField("project", Project)),
);

/** POST /projects. Spec sections 2.8 and 4.7. */
export const createProject = endpoint(
  "POST /projects",
  (call, fields: ProjectFields): Promise<NewProject> =>
    call.data({}, objectOrField("project", NewProject), { body: fields }),
);

/** PATCH /projects/{id}. Spec sections 2.8 and 4.7. */
export const changeProject = endpoint(
  "PATCH /projects/{id}",
  (call, id: string, fields: ProjectChanges): Promise<void> => call.done({ id }, { body: fields }),
);

/**
 * DELETE /projects/{id}: 409 while the project has resources, unless they move to `reassignTo` (id or slug). Keys bound to it stop
 * working. Spec section 4.7.
 */
export const deleteProject = endpoint(
  "DELETE /projects/{id}",
  (call, id: string, reassignTo?: string): Promise<void> => call.done({ id }, { query: { reassignTo } }),
);

/**
 * POST /projects/{id}/move: moves the named resources into the project. Gives `skipped`: the ids that could not be resolved, in a shape
 * that the spec does not show. Spec sections 2.8 and 4.7.
 */
export const moveToProject = endpoint(
  "POST /projects/{id}/move",
  async (call, id: string, what: Movables): Promise<unknown> =>
    fieldOf(await call.data({ id }, z.unknown(), { body: what }), "skipped"),
);
