import * as z from "#zod";
import type { Actor, Choice } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { ambiguityMessage, type Chooser } from "../../operation/input.ts";
import { matching } from "../../operation/matching.ts";
import { type ProjectRef, readRows, type TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listProjects, type Project, readProject } from "../../platform/customer/projects.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { inOnePage } from "../../platform/http/pages.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code, count, listing } from "../../views/text.ts";

/** Projects of the account. They are read outside of the member's chosen project, which would hide the others. */
export const project: TargetKind<"customer", Project> = {
  noun: "project",
  label: "project",
  foundBy: "name, slug",
  ...inOnePage((client: CustomerClient) => listProjects(client.in(null))),
  read: (client, id) => readProject(client.in(null), id),
  reads: [readProject],
  entry: (row) => ({
    id: row.id,
    name: row.name,
    aliases: [row.slug],
    state: row.is_default ? "default" : "",
    detail: `${row.slug} · ${contentWords(row)}`,
  }),
  identity: {
    // An act on a project counts as in that project, not in the member's chosen one. Its own name says which one that is.
    project: ({ id }) => ({ id, name: "" }),
    address: "A project has no address.",
    hostname: "A project has no host name.",
    location: "A project is in no place.",
    apart: ({ slug }) => [{ label: "Slug", value: code(slug) }],
  },
};

/** "3 services" and "1 image": the amounts above zero, each with the word for one. */
export function amountWords(amounts: (readonly [amount: number, one: string])[]): string[] {
  return amounts.filter(([amount]) => amount > 0).map(([amount, one]) => count(amount, one));
}

/** The contents of a project: "3 services and 1 image", or "nothing". */
export function contentWords({ resources }: Project): string {
  const { services, orders, custom_images: images, ssh_keys: keys } = resources;
  const amounts = amountWords([
    [services, "service"],
    [orders, "order"],
    [images, "image"],
    [keys, "SSH key"],
  ]);
  return amounts.length > 0 ? listing(amounts) : "nothing";
}

export function isEmpty({ resources }: Project): boolean {
  return Object.values(resources).every((amount) => amount === 0);
}

/** Every project that the key can see, as choices by name, slug or id. */
export const projectChoices: Chooser<"customer", unknown> = async ({ client }) =>
  (await listProjects(client.in(null))).map(projectChoice);

export function projectChoice({ id, name, slug }: Project): Choice {
  return { value: id, label: name, description: slug, aliases: [slug] };
}

/**
 * The project of something new: the named one, otherwise the member's chosen one. Client and body name the same one, because the
 * platform refuses a contradiction.
 */
export function projectOf<Writes extends string>(call: {
  client: CustomerClient<Writes>;
  actor: Actor;
  input: { project?: string | undefined };
}): { client: CustomerClient<Writes>; body: { projectId?: string } } {
  const projectId = call.input.project ?? call.actor.project?.id;
  if (projectId === undefined) return { client: call.client, body: {} };
  return { client: call.client.in(projectId), body: { projectId } };
}

/**
 * The named project of something new, for the approval rules; undefined if none is named. If the key cannot see it, the typed id
 * stays, and the platform refuses it.
 */
export async function namedProject(
  client: CustomerClient,
  named: string | null | undefined,
): Promise<ProjectRef | undefined> {
  if (!named) return undefined;
  const found = (await listProjects(client.in(null))).find(({ id, slug }) => id === named || slug === named);
  return { id: found?.id ?? named, name: found?.name ?? named };
}

/** The members of a move of one service under every noun. */
export const moveCommon = {
  risk: "change",
  effects: [{ aspect: "project", to: ["changed"] }],
  input: z.object({ project: z.string().meta({ title: "New project" }) }),
  sharedChoices: { project: projectChoices },
} as const;

/** The name of a project; what was typed if the key cannot see it. */
export async function projectName(client: CustomerClient, named: string): Promise<PlainText> {
  return (await namedProject(client, named))?.name ?? named;
}

/** `moves`: the beginning of the sentence, "`web-1` moves". */
export function movedConsequence(moves: string, project: PlainText): string {
  const to = code(project);
  return `${moves} to ${to}. It keeps running. From then on the approval rules of ${to} apply to it.`;
}

/** The project that a service moves to, with its id as the platform takes it: null is the default project. */
export async function sentProject(
  client: CustomerClient,
  id: string,
): Promise<{ name: PlainText; sent: string | null }> {
  const found = (await listProjects(client.in(null))).find((one) => one.id === id);
  return { name: found?.name ?? id, sent: found?.is_default ? null : id };
}

/** The nouns of services of any kind. An order becomes services in the order's project, so moving an order concerns them, too. */
const serviceNouns = ["service", "vps", "dedicated", "game"];
export const movedNouns = {
  services: serviceNouns,
  orders: ["order", ...serviceNouns],
  images: ["image"],
  keys: ["sshkey"],
};

/**
 * The projects that these resources are in now, if their rows do not name them. Each project of `ruled` is checked by listing it;
 * resources in none of them count as in a project without a rule. It uses lists, because the spec leaves open if a read by id is
 * narrowed to a project.
 */
export async function sourceProjects<T>(
  client: CustomerClient,
  kind: TargetKind<"customer", T>,
  ids: readonly string[],
  ruled: readonly ProjectRef[],
): Promise<ProjectRef[]> {
  const rest = new Set(ids);
  const from: ProjectRef[] = [];
  for (const project of ruled) {
    const found = await idsIn(client.in(project.id), kind);
    if (ids.some((id) => found.has(id))) from.push(project);
    for (const id of found) rest.delete(id);
  }
  return rest.size > 0 ? [...from, { id: "", name: "a project without a rule" }] : from;
}

async function idsIn<T>(client: CustomerClient, kind: TargetKind<"customer", T>): Promise<Set<string>> {
  try {
    return new Set((await readRows(client, kind)).map((row) => kind.entry(row).id));
  } catch (error) {
    // The rule's project is gone or in another account, so this key moves nothing out of it.
    const isUnseen = error instanceof PlatformRefused && unseenCodes.has(error.code ?? "");
    if (!isUnseen) throw error;
    return new Set();
  }
}

const unseenCodes = new Set(["UNKNOWN_PROJECT", "PROJECT_SCOPE_MISMATCH"]);

/** The project of a typed name, slug or id, or the beginning of one. Throws if none or several match: it never guesses. */
export function findProject(projects: Project[], typed: string): Project {
  const found = matching(typed, projects, ({ id, slug, name }) => [id, slug, name]);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length > 1) throw wrongInput("project", ambiguityMessage(typed, found.map(projectChoice)));
  const names = projects.slice(0, 10).map(({ name }) => code(name, 60));
  throw new Refusal(`There is no project ${code(typed)}. There is ${listing(names)}. Nothing changed.`);
}
