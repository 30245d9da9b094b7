import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../fields.ts";
import { done, fieldOf, ifReadable, inData, objectOrField } from "../http/data.ts";
import { everyRow } from "../http/pages.ts";
import { endpoint } from "./client.ts";

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

export const listProjects = endpoint("GET /projects", "read", "2.11, 4.7", everyRow("projects", Project));

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

/** By id or slug. */
export const readProject = endpoint(
  "GET /projects/{id}",
  "read",
  "2.11, 4.7",
  inData(objectOrField("project", Project)),
);

export const createProject = endpoint(
  "POST /projects",
  "services",
  "2.8, 4.7",
  inData(objectOrField("project", NewProject)),
  {
    sends: (body: ProjectFields) => ({ body }),
  },
);

export const changeProject = endpoint("PATCH /projects/{id}", "services", "2.8, 4.7", done, {
  sends: (body: ProjectChanges) => ({ body }),
});

/** 409 while the project has resources, unless they move to `reassignTo` (id or slug). Keys bound to it stop working. */
export const deleteProject = endpoint("DELETE /projects/{id}", "destructive", "4.7", done, {
  sends: (reassignTo?: string) => ({ query: { reassignTo } }),
});

/** Moves the named resources into the project. Gives `skipped`: the ids that could not be resolved, in a shape that the spec does not show. */
export const moveToProject = endpoint(
  "POST /projects/{id}/move",
  "services",
  "2.8, 4.7",
  inData(z.unknown().transform((answer) => fieldOf(answer, "skipped"))),
  { sends: (body: Movables) => ({ body }) },
);
