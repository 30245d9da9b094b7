import * as z from "zod";
import { type BoundOperation, bind } from "../access/bound.ts";
import { InputError } from "../operation/errors.ts";
import type { PlatformOperation } from "../operation/operation.ts";
import { admitReading } from "../requests/ask.ts";
import { partSecrets } from "../secret-parts.ts";
import type { AgentCaller, McpApp } from "./app.ts";
import { AgentError, plainText } from "./errors.ts";
import { takeCall } from "./limits.ts";
import { agentOrigin } from "./origin.ts";
import { resourceOf } from "./resolve.ts";

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
export async function readFor(
  app: McpApp,
  { agent, links }: AgentCaller,
  operation: PlatformOperation,
  asked: { target?: string | undefined; project?: string | undefined; input: Record<string, unknown> },
): Promise<AgentReadResult> {
  const data: AgentReadResult["data"] = [];
  const withheld = new Set<string>();
  const bound = await observedBound(app, { agent, links }, operation, (route, value) => {
    // A filter by project reads the names of all projects.
    if (agent.projects !== null && route === "/projects") return;
    const { rest, secrets } = partSecrets(agent.projects === null ? value : rowsWithin(value, agent.projects));
    for (const { name } of secrets) withheld.add(name);
    data.push({ route, value: z.json().parse(rest ?? null) });
  });
  const placed = inProjectOf(bound, agent.projects, asked.project);
  const accepted = operation.accept(
    inputWithin(operation, agent.projects === null ? null : placed.actor.project, asked.input),
  );
  if ("error" in accepted) throw accepted.error;
  const targetId = operation.target ? (await resourceOf(placed, asked.target)).id : null;
  data.length = 0;
  const act = await placed.begin({ id: crypto.randomUUID(), targetId, input: accepted.input, now: app.clock.now() });
  if (act.risk !== "read")
    throw new AgentError(
      "With this input it keeps a message current in Slack. Nothing was read. Leave that input out.",
    );
  refuseOutside(agent.projects, operation, act.project);
  await admitReading(app.requests, { bound: placed, act, origin: agentOrigin(agent) });
  const answer = await act.run();
  if (answer.file) throw new AgentError("The answer is a file, which only its member can get.");
  const result = { command: operation.command, summary: plainText(answer.text), data, withheld: [...withheld] };
  if (JSON.stringify(result).length > mostAnswer)
    throw new AgentError("The answer is too long for one read. Narrow it with the inputs of the command.");
  return result;
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
  });
  budget = bound.budget;
  return bound;
}

/** Confines it to a project of the agent's, or to the project that the agent names. */
export function inProjectOf(
  bound: BoundOperation,
  projects: readonly { id: string; name: string }[] | null,
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
