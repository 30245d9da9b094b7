import { badField, featureDisabled, forbidden, projectMismatch, Refusal } from "../../http/refusal.ts";
import { isUuid } from "../../world/ids.ts";
import { findProject, type Project } from "../../world/project.ts";
import { may, type User } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import type { Route } from "./call.ts";
import { allowedFrom, isAlive, type Key, type Keys, presentedKey } from "./keys.ts";

// One check a function, in the order in which the platform makes them (spec sections 5 and 7).

export function refuseWhileApiIsOff(world: World): void {
  if (!world.settings.api) throw featureDisabled("The API");
}

/** The key a request carries; throws 401 for every way in which it is not a good one. */
export function authenticate(world: World, keys: Keys, authorization: string | undefined): Key {
  const key = presentedKey(keys, authorization);
  if (key === undefined || !isAlive(world, key)) throw new Refusal(401, "UNAUTHORIZED", "The API key is not valid");
  return key;
}

export function ownerOf(world: World, key: Key): User {
  const user = world.users.get(key.owner);
  if (user === undefined) throw new Error(`The key ${key.label} has no owner`);
  return user;
}

export function refuseForeignAddress(key: Key, address: string): void {
  if (!allowedFrom(key, address)) throw forbidden("This key may not be used from this address");
}

/** The project a request is narrowed to, named by header or query; a bound key is always narrowed to its own. */
export function narrowToProject(world: World, key: Key, user: User, named: string | null): Project | null {
  const bound = key.project === null ? null : (world.projects.get(key.project) ?? null);
  if (named === null || named === "") return bound;
  const project = findProject(world, user, named);
  if (project === undefined) throw new Refusal(400, "UNKNOWN_PROJECT", `There is no project ${named}`);
  if (bound !== null && bound.id !== project.id) throw projectMismatch();
  return project;
}

export function refuseMalformedIds(world: World, route: Route, params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (name === "id" && route.takesSlug === true && world.settings.shapes.projectSlugs) continue;
    if ((name === "id" || name.endsWith("Id")) && !isUuid(value)) throw badField(name, `${name} must be a uuid`);
  }
}

export function refuseMissingScope(route: Route, key: Key): void {
  if (key.scopes.includes(route.scope)) return;
  throw new Refusal(403, "SCOPE_REQUIRED", `This key lacks the scope ${route.scope}`, { scope: route.scope });
}

export function refuseWithoutPermission(route: Route, user: User): void {
  if (user.suspended && route.method !== "GET") throw forbidden("The account is suspended", "ACCOUNT_SUSPENDED");
  if (route.permission !== undefined && !may(user, route.permission)) throw forbidden("Insufficient permissions");
}

export function refuseWithoutModule(world: World, route: Route): void {
  if (route.module !== undefined && !world.settings.modules[route.module]) throw featureDisabled("This module");
}
