import type { Actor, Choice } from "../../operation/asking.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import { type Chooser, severalMeant } from "../../operation/input.ts";
import { meant } from "../../operation/meant.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listProjects, type Project, readProject } from "../../platform/customer/projects.ts";
import { pageFrom } from "../../platform/http/pages.ts";
import { code, count, listing } from "../../views/text.ts";

/** How a project is found, named and read: among all, whatever the one that the member works in. */
export const project: TargetKind<"customer", Project> = {
  noun: "project",
  label: "project",
  foundBy: "name, slug",
  pageSize: 200,
  list: async (client, query) => pageFrom(await listProjects(client.in(null)), query),
  read: (client, id) => readProject(client.in(null), id),
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: [row.slug],
    state: row.is_default ? "default" : "named",
    project: "",
    detail: `${row.slug} · ${holds(row)}`,
  }),
};

/** "3 services and 1 image", or "nothing". */
export function holds({ resources }: Project): string {
  const { services, orders, custom_images: images, ssh_keys: keys } = resources;
  const parts: [number, string][] = [
    [services, "service"],
    [orders, "order"],
    [images, "image"],
    [keys, "SSH key"],
  ];
  const held = parts.filter(([amount]) => amount > 0).map(([amount, one]) => count(amount, one));
  return held.length > 0 ? listing(held) : "nothing";
}

export function isEmpty({ resources }: Project): boolean {
  return Object.values(resources).every((amount) => amount === 0);
}

/** Every project that the key can see, to choose one from: by name, slug or id. */
export const projectChoices: Chooser<"customer", unknown> = async ({ client }) =>
  (await listProjects(client.in(null))).map(projectChoice);

export function projectChoice({ id, name, slug }: Project): Choice {
  return { value: id, label: name, description: slug, aliases: [slug] };
}

/** Where something new goes: the project that was named, else the one that the member works in. Both ways of saying it agree. */
export function projectOf(call: { client: CustomerClient; actor: Actor; input: { project?: string | undefined } }): {
  client: CustomerClient;
  body: { projectId?: string };
} {
  const projectId = call.input.project ?? call.actor.project?.id;
  if (projectId === undefined) return { client: call.client, body: {} };
  return { client: call.client.in(projectId), body: { projectId } };
}

/** By name, short name or id, or how one of them begins; never a guess between two. */
export function projectMeant(projects: Project[], wanted: string): Project {
  const found = meant(wanted, projects, ({ id, slug, name }) => [id, slug, name]);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length > 1)
    throw new InputError([{ field: "project", message: severalMeant(wanted, found.map(projectChoice)) }]);
  const names = projects.slice(0, 10).map(({ name }) => code(name, 60));
  throw new Refusal(`There is no project ${code(wanted)}. There is ${listing(names)}. Nothing changed.`);
}
