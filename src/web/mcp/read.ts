import * as z from "#zod";
import { type BoundOperation, bind } from "../../members/access/bound.ts";
import type { Json } from "../../operation/answer.ts";
import { InputError, Refusal } from "../../operation/errors.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { nounOf, type Registry } from "../../operation/registry.ts";
import { SigningSecretMissing } from "../../platform/http/client.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { partSecrets } from "../../process/secret-parts.ts";
import { runReading } from "../../requests/ask.ts";
import { type AgentCaller, agentOrigin, type McpApp, resolveResource } from "./app.ts";
import { AgentError, unmarkedText } from "./errors.ts";
import { takeCall } from "./limits.ts";
import { refuseHidden } from "./offer.ts";

/** In characters of JSON: more would only fill an agent's context. */
const mostAnswer = 200_000;

/** The result of a read: everything that the platform said is in `data` and `summary`, as values. */
export const AgentReadResult = z.object({
  command: z.string(),
  /** The answer's first line, as members see it. */
  summary: z.string(),
  /** The answers of the platform, by the route that was read. */
  data: z.array(z.object({ route: z.string(), value: z.json() })),
  /** Names of values that are secret; their member can see them in Slack. */
  withheld: z.array(z.string()),
});
type AgentReadResult = z.infer<typeof AgentReadResult>;

/** Reads with the member's key. Throws AgentError, or what the engine throws, if nothing was read. */
export async function readForAgent(
  app: McpApp,
  { agent, links }: AgentCaller,
  operation: PlatformOperation,
  asked: { target?: string | undefined; project?: string | undefined; input: Record<string, unknown> },
): Promise<AgentReadResult> {
  const data: AgentReadResult["data"] = [];
  const withheld = new Map<string, string>();
  const isGiven = givenRoutes(app.registry, operation, agent.projects !== null);
  const bound = await observedBound(app, { agent, links }, operation, (route, value) => {
    const { rest, secrets } = partSecrets(agent.projects === null ? value : rowsWithin(value, agent.projects));
    for (const secret of secrets) withheld.set(secret.value, secret.name);
    if (isGiven(route)) data.push({ route, value: z.json().parse(rest ?? null) });
  });
  const placed = inProjectOf(bound, agent.projects, asked.project);
  refuseHidden(operation, asked.input);
  const accepted = operation.accept(
    inputWithin(operation, agent.projects === null ? null : placed.actor.project, asked.input),
  );
  if ("error" in accepted) throw accepted.error;
  const targetId = operation.target ? (await resolveResource(placed, asked.target)).id : null;
  data.length = 0;
  const act = await placed.begin({ id: crypto.randomUUID(), targetId, input: accepted.input, now: app.clock.now() });
  if (act.risk !== "read")
    throw new AgentError('With this input it changes something: use "propose". Nothing was done.');
  refuseOutside(agent.projects, operation, act.project);
  const answer = await runReading(app.requests, { bound: placed, act, origin: agentOrigin(agent) });
  if (answer.file) throw new AgentError("The answer is a file. Ask your owner to get it in Slack.");
  if (answer.data !== undefined) data.push({ route: operation.act.route, value: answer.data });
  const result = {
    command: operation.command,
    summary: withoutValues(unmarkedText(answer.text), [...withheld.keys()]),
    data: answer.rows ? rowsOf(data, answer.rows) : data,
    withheld: [...new Set(withheld.values())],
  };
  if (JSON.stringify(result).length > mostAnswer)
    throw new AgentError("The answer is too long for one read. Narrow it with the inputs of the command.");
  return result;
}

/**
 * The routes whose answers an agent gets. An answer about something else reads the catalogue and projects only to word a size or a place,
 * and they would be most of what it reads. To a confined agent it gives only its own noun's: invoices and names of projects are the account's.
 */
function givenRoutes({ all }: Registry, operation: PlatformOperation, isConfined: boolean): (route: string) => boolean {
  const noun = nounOf(operation);
  const routesOf = (isMeant: (noun: string) => boolean) =>
    new Set(
      all.flatMap((other) =>
        other.api !== "app" && isMeant(nounOf(other)) ? [other.act.route.replace(/^GET /, "")] : [],
      ),
    );
  const own = routesOf((other) => other === noun);

  if (isConfined) return (route) => own.has(route);
  const aside = routesOf((other) => lookedUp.has(other));
  return (route) => own.has(route) || !aside.has(route);
}

const lookedUp = new Set(["catalog", "project"]);

/** The rows that a list shows, in its order, by the route that they came from. It reads more: a filter is matched here. */
function rowsOf(data: AgentReadResult["data"], ids: readonly string[]): AgentReadResult["data"] {
  const byRoute = new Map<string, Map<string, Json>>();
  for (const { route, value } of data)
    for (const row of arraysIn(value).flat()) {
      const id = ownTexts(row).find((text) => ids.includes(text));
      if (id !== undefined) byRoute.set(route, (byRoute.get(route) ?? new Map<string, Json>()).set(id, row));
    }
  return [...byRoute].map(([route, rows]) => ({
    route,
    value: { rows: ids.flatMap((id) => rows.get(id) ?? []) },
  }));
}

function arraysIn(value: Json): Json[][] {
  if (Array.isArray(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

/** The texts of a row, and of the objects in it: a service's own id may be in one. */
function ownTexts(row: Json): string[] {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return [];
  const fields = Object.values(row);
  const inner = fields.flatMap((field) =>
    typeof field === "object" && field !== null && !Array.isArray(field) ? Object.values(field) : [],
  );
  return [...fields, ...inner].filter((field) => typeof field === "string");
}

/** A sentence without what was withheld from the data beside it. */
function withoutValues(text: string, values: readonly string[]): string {
  return values.filter((value) => value.length > 5).reduce((rest, value) => rest.replaceAll(value, "(withheld)"), text);
}

/** The operation bound to the member's key, whose reads count against the agent's share of calls. */
export async function observedBound(
  app: McpApp,
  { agent, links }: AgentCaller,
  operation: PlatformOperation,
  onRead: (route: string, value: unknown) => void,
): Promise<BoundOperation> {
  const link = links[operation.api];
  if (!link)
    throw new AgentError("The key that this agent was made for is not linked any more. Its member makes a new token.");
  let budget: BoundOperation["budget"] = () => undefined;
  const bound = await bind(app, operation, agent.member, {
    before: () => takeCall(app.store.paces, link.keyId, budget()),
    after: onRead,
  }).catch(ownersKey);
  budget = bound.budget;
  return bound;
}

/** These refusals are about the key, and speak to its owner. */
function ownersKey(error: unknown): never {
  if (!(error instanceof Refusal || error instanceof SigningSecretMissing)) throw error;
  throw new AgentError(
    "The key of your owner does not allow this command now. Nothing was done. Ask your owner to link a key that does, with /rackbell link.",
  );
}

/** Confines it to a project of the agent's, or to the project that the agent names. */
export function inProjectOf(
  bound: BoundOperation,
  projects: readonly { id: string; name: PlainText }[] | null,
  named: string | undefined,
): BoundOperation {
  if (projects === null) {
    if (named === undefined) return bound;
    throw new AgentError('Leave out "project": this agent is confined to none. Nothing was done.');
  }
  const wanted = named === undefined && projects.length === 1 ? projects[0]?.id : named;
  const chosen = projects.find(({ id, name }) => wanted === id || wanted === name);
  if (chosen) return bound.in(chosen);
  throw new InputError([
    {
      field: "project",
      message: `This agent is for ${projects.map(({ name }) => name).join(", ")}. Name one of them as "project".`,
    },
  ]);
}

/** A list is narrowed to the agent's project by its own input; a list without one would show everything. */
function inputWithin(
  { target, input }: PlatformOperation,
  project: { id: string } | null,
  given: Record<string, unknown>,
): Record<string, unknown> {
  if (project === null || target !== null) return given;
  if ("project" in input.shape) return { ...given, project: project.id };
  throw new AgentError("This agent is confined to projects, and this list names none. Nothing was read.");
}

/** The answer without the rows of other projects: the spec leaves open if a list is narrowed before it is sent. */
function rowsWithin(value: unknown, projects: readonly { id: string }[]): unknown {
  if (Array.isArray(value))
    return value.filter((row) => isWithin(row, projects)).map((row) => rowsWithin(row, projects));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rowsWithin(inner, projects)]));
}

const OfProject = z.object({ project: z.object({ id: z.string() }).nullable() });

function isWithin(row: unknown, projects: readonly { id: string }[]): boolean {
  const named = OfProject.safeParse(row);
  return !named.success || projects.some(({ id }) => id === named.data.project?.id);
}

/** A resource is read by its id in any project, so what was read decides. */
export function refuseOutside(
  projects: readonly { id: string }[] | null,
  { target }: PlatformOperation,
  project: { id: string } | null,
): void {
  if (projects === null || target === null) return;
  if (project && projects.some(({ id }) => id === project.id)) return;
  throw new AgentError("This resource is in no project of this agent. Nothing was done.");
}
