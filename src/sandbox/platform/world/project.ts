import type { Clock } from "../../../process/clock.ts";
import { isUuid, seededId } from "./ids.ts";
import { holderOf, type User } from "./users.ts";

/** The parts of the world that these functions need. */
interface Projects {
  projects: Map<string, Project>;
}

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
export function findProject(world: Projects, user: User, named: string): Project | undefined {
  const mine = projectsOf(world, holderOf(user));
  return mine.find((project) => project.slug === named || (isUuid(named) && project.id === named.toLowerCase()));
}

export function projectsOf(world: Projects, holder: string): Project[] {
  return [...world.projects.values()].filter((project) => project.holder === holder);
}

export function defaultProject(world: Projects, holder: string): Project {
  const project = projectsOf(world, holder).find((one) => one.is_default);
  if (project === undefined) throw new Error("Every holder has a default project");
  return project;
}

export function projectRef(world: Projects, id: string) {
  const project = world.projects.get(id);
  if (project === undefined) throw new Error(`There is no project ${id}`);
  return { id: project.id, slug: project.slug, name: project.name };
}

export function addProject(
  world: Projects & { clock: Clock },
  holder: string,
  slug: string,
  name: string,
  isDefault = false,
): Project {
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
