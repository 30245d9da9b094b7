import { hash } from "node:crypto";
import { refuseRenamed } from "../../commands/invoke.ts";
import type { BoundOperation } from "../../members/access/bound.ts";
import { scheduledTime } from "../../members/access/when.ts";
import { type Agent, changeAgent, readAgent } from "../../members/identities/agents.ts";
import { stepBlocks } from "../../messages/answers/answers.ts";
import { offerTo } from "../../messages/answers/offer.ts";
import { isEnough } from "../../operation/act-input.ts";
import { fillPasswords } from "../../operation/fields.ts";
import type { PlatformOperation } from "../../operation/operation.ts";
import { looksSecret } from "../../operation/reason.ts";
import { withoutSchedule } from "../../operation/schedule-input.ts";
import { canonicalJson } from "../../process/json.ts";
import { inRequest } from "../../process/trace.ts";
import { startAct } from "../../requests/ask.ts";
import type { ProposingAgent } from "../../requests/facets/agent/record.ts";
import { proposeBulk } from "../../requests/facets/bulk/propose.ts";
import { readOpenRequests } from "../../requests/lists.ts";
import { DuplicateOpen } from "../../requests/repeats.ts";
import type { Request } from "../../requests/request.ts";
import { withLock } from "../../requests/resource-lock.ts";
import { readRequest } from "../../requests/store.ts";
import { isMember } from "../../requests/visibility.ts";
import { section } from "../../views/blocks.ts";
import { code, listing } from "../../views/text.ts";
import { type AgentCaller, agentOrigin, type McpApp, resolveResource } from "./app.ts";
import { AgentError } from "./errors.ts";
import { refuseFlood, remembered, wasDeniedOften } from "./limits.ts";
import { refuseHidden } from "./offer.ts";
import { inProjectOf, observedBound, refuseOutside } from "./read.ts";

/** The arguments of a proposal, as the agent sent them. */
export interface Proposed {
  command: string;
  target?: string | undefined;
  targets?: string[] | undefined;
  project?: string | undefined;
  input: Record<string, unknown>;
  why: string;
  /** Chosen by the agent: the same key is the same request. */
  key: string;
}

/**
 * Makes a request of an agent's proposal, or finds the one that it made before with the same key. Nothing runs but what an approval rule
 * lets agents run. Throws AgentError, or what the engine throws, if nothing was requested.
 */
export async function proposeFor(
  app: McpApp,
  caller: AgentCaller,
  operation: PlatformOperation,
  proposed: Proposed,
): Promise<Request> {
  // One at a time over all instances: of several at once, each would count the requests before the others made theirs.
  const lock = { name: `agent:${caller.agent.id}`, holder: proposed.key, lockFor: longestMs };
  return withLock(
    app.store.locks,
    lock,
    () => propose(app, caller, operation, proposed),
    async () => {
      throw new AgentError(
        "Another proposal of yours is being made. Repeat this one in a few seconds, with the same key.",
      );
    },
  );
}

/** Milliseconds. Longer than the platform takes to answer with the facts of a request. */
const longestMs = 60_000;

async function propose(
  app: McpApp,
  caller: AgentCaller,
  operation: PlatformOperation,
  proposed: Proposed,
): Promise<Request> {
  const { agent } = caller;
  const { requests, clock } = app;
  const id = requestIdOf(agent, proposed.key);
  const digest = digestOf(proposed);
  const before = await readRequest(requests, id);
  if (before) return sameOrError(before, digest, before.agent?.digest);
  refuseInput(operation, proposed);
  const agentNow = await readAgent(app, agent.id);
  if (!agentNow) throw new AgentError("Your owner removed this agent. Nothing was proposed.");
  const ids = new Set(agentNow.proposed.map(({ request }) => request));
  const own = (await Promise.all([...ids].map((each) => readRequest(requests, each)))).filter(
    (request) => request !== undefined,
  );
  const same = agentNow.proposed.find(({ as }) => as?.id === id);
  const answered = own.find((request) => request.id === same?.request);
  if (answered) return sameOrError(answered, digest, same?.as?.digest);
  if (agentNow.suspendedAt !== null || wasDeniedOften(agentNow, own)) await suspend(app, agent);
  const open = (await readOpenRequests(requests, agent.member)).filter((request) => request.agent?.id === agent.id);
  refuseFlood(agentNow, open.length, clock.now());
  const proposal = { id, agent: { id: agent.id, name: agent.name, client: agent.client, why: proposed.why, digest } };
  // Stored before the request: a crash in between must not make one that no limit counts. A repeated call counts once.
  const remember = (made: Agent["proposed"][number]) =>
    changeAgent(app, agent.id, (now) => ({
      proposed: [...remembered(now, own, clock.now()).filter(({ request }) => request !== id), made],
    }));
  await remember({ at: clock.now(), request: id });
  try {
    await inRequest(id, () => submit(app, caller, operation, proposed, proposal));
  } catch (error) {
    if (!(error instanceof DuplicateOpen)) throw error;
    if (error.request.agent?.id === agent.id) {
      // This key is that request from now on: repeated after its end, it must not make another one.
      await remember({ at: clock.now(), request: error.request.id, as: { id, digest } });
      return error.request;
    }
    throw new AgentError("A request for this is open already. Nothing new was proposed.");
  }
  const request = await readRequest(requests, id);
  if (!request) throw new AgentError("Nothing was requested.");
  return request;
}

/** The same key is the same request, even if the process died between storing it and answering. */
function requestIdOf({ id }: Agent, key: string): string {
  const hex = hash("sha256", `${id} ${key}`);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

function digestOf({ command, target, targets, project, input }: Proposed): string {
  return hash("sha256", canonicalJson({ command, target, targets, project, input }));
}

function sameOrError(request: Request, digest: string, before: string | undefined): Request {
  if (before === digest) return request;
  throw new AgentError(
    'You used this "key" for another proposal. Nothing was proposed. Use a new key for a new proposal, and the old key to repeat the old one.',
  );
}

function refuseInput(operation: PlatformOperation, { input, why, targets, target, project }: Proposed): void {
  if (looksSecret(JSON.stringify({ input, why, targets, target, project })))
    throw new AgentError("This holds a key, and people would read it in Slack. Nothing was proposed. Leave it out.");
  refuseHidden(operation, input);
  if (targets && target !== undefined)
    throw new AgentError('Name "target" or "targets", not both. Nothing was proposed.');
  if (targets && !operation.bulk) throw new AgentError("This command takes one target. Nothing was proposed.");
}

async function submit(
  app: McpApp,
  caller: AgentCaller,
  operation: PlatformOperation,
  proposed: Proposed,
  { id, agent }: { id: string; agent: ProposingAgent },
): Promise<void> {
  const { requests, clock } = app;
  const { projects, channel } = caller.agent;
  if (channel !== null && !(await isMember(app.requests, channel, caller.agent)))
    throw new AgentError(
      "Your owner is not in the channel of your requests, or Slack does not say who is. Nothing was proposed.",
    );
  requireEnough(operation, proposed.input);
  const bound = inProjectOf(await observedBound(app, caller, operation, () => {}), projects, proposed.project);
  const origin = agentOrigin(caller.agent);
  const { values, generated } = fillPasswords(operation.input, proposed.input);
  const accepted = operation.accept(values);
  if ("error" in accepted) throw accepted.error;
  const when = await scheduledTime(app, accepted.input, caller.agent.slackUser);
  const input = withoutSchedule(accepted.input);
  const proposal = { bound, origin, agent, when };
  if (proposed.targets) {
    const found = await Promise.all(proposed.targets.map((each) => resolveResource(bound, each)));
    // Named twice, by name and by address perhaps, it would be acted on twice.
    const chosen = [...new Map(found.map((each) => [each.id, each])).values()];
    await refuseAnyOutside(bound, projects, chosen);
    return proposeBulk(requests, { ...proposal, id, input, chosen, confirmed: true });
  }
  const found = operation.target ? await resolveResource(bound, proposed.target) : null;
  const act = await bound.begin({ id, targetId: found?.id ?? null, input, now: clock.now() });
  if (act.risk === "read") throw new AgentError('With this input it only reads: use "read". Nothing was proposed.');
  refuseOutside(projects, operation, act.project);
  await refuseRenamed(bound, act, { typed: proposed.target ?? "", name: found?.name ?? null });
  await act.usable();
  return startAct(requests, { ...proposal, act, generated }, () => Promise.resolve(false));
}

/** Throws an AgentError that says which values are missing where a person would get a form. */
function requireEnough({ leading }: PlatformOperation, input: Record<string, unknown>): void {
  if (!leading || isEnough(leading, input)) return;
  const enough = leading.enough.map((names) => listing([...names]));
  throw new AgentError(
    `This command needs ${listing(enough, "or")}, and all else that the product asks for, such as a location. Nothing was proposed. Name them in "input", or ask your owner to order it in Slack.`,
  );
}

async function refuseAnyOutside(
  bound: BoundOperation,
  projects: Agent["projects"],
  chosen: readonly { id: string }[],
): Promise<void> {
  if (projects === null) return;
  for (const { id } of chosen) {
    const { projectId } = await bound.look(id);
    refuseOutside(projects, bound.operation, projectId ? { id: projectId } : null);
  }
}

/** Stops the agent until its owner resumes it. The owner is notified at the first attempt after the denials. */
async function suspend(app: McpApp, { id, name, slackUser, member }: Agent): Promise<never> {
  const { identities, registry, reply, clock } = app;
  let isFirst = false;
  await changeAgent(app, id, (now) => {
    isFirst = now.suspendedAt === null;
    return isFirst ? { suspendedAt: clock.now() } : null;
  });
  if (isFirst) {
    const text = `:double_vertical_bar: Your agent ${code(name)} is suspended: three of its requests were denied within an hour. It can read, and proposes nothing.`;
    const next = [{ label: `Resume ${name}`, command: "rackbell agents", input: { resume: name } }];
    const offer = offerTo(await identities.links(member), registry);
    const blocks = [section(text), ...stepBlocks(next, offer)];
    await reply.ephemeral(agentOrigin({ member, slackUser, channel: null }), { text, blocks });
  }
  throw new AgentError(
    "Your owner denied three of your requests within an hour, so you are suspended. Nothing was proposed. Ask your owner in person; they can let you go on in Slack.",
  );
}
