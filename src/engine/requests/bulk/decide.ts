import { Refusal } from "../../../operation/errors.ts";
import type { Access } from "../../access.ts";
import type { Origin } from "../../answers/origin.ts";
import type { Reply } from "../../answers/reply.ts";
import type { Binder } from "../../bound.ts";
import type { RequestChecks } from "../checks.ts";
import { isBulkAtWork, type Request } from "../request.ts";
import type { SayState } from "../say-state.ts";
import type { RequestStore } from "../store.ts";
import type { AskBulk } from "./ask.ts";
import { tally } from "./progress.ts";
import { type BulkTarget, type Outcome, partId } from "./record.ts";
import { bulkFile } from "./view.ts";

/** What can be pressed on a request for many. */
export interface DecideBulk {
  /** Nothing more is begun; what is under way ends. */
  stop(id: string, origin: Origin): Promise<void>;
  /** Asks for those that failed anew, as all were asked. */
  again(id: string, origin: Origin): Promise<void>;
  /** The same for those that it never came to. */
  rest(id: string, origin: Origin): Promise<void>;
  /** Sends all of them as a file. */
  list(id: string, origin: Origin): Promise<void>;
}

export function createDecideBulk(deps: {
  requests: RequestStore;
  checks: Pick<RequestChecks, "operation">;
  access: Pick<Access, "admit" | "isAdmin">;
  binder: Pick<Binder, "bind">;
  askBulk: AskBulk;
  say: Pick<SayState, "state">;
  reply: Pick<Reply, "file">;
  clock: { now(): number };
}): DecideBulk {
  const { requests, checks, access, binder, askBulk, say, reply, clock } = deps;

  async function anew(id: string, origin: Origin, which: Outcome): Promise<void> {
    const request = await requests.read(id);
    if (!request?.bulk || isBulkAtWork(request)) return say.state(id, origin);
    const operation = checks.operation(request);
    if (!operation) throw new Refusal("This version of Rackbell no longer has that command. Nothing was asked.");
    await access.admit(origin.slackUser);
    const { bulk } = request;
    const targets = await requests.targets.read(id);
    const meant = targets.filter((_, at) => bulk.outcomes[at] === which);
    if (meant.length === 0)
      throw new Refusal("Which ones those were is no longer known. Nothing was asked. Name them in a command.");
    const bound = await binder.bind(operation, origin.member);
    const { stopAfter } = bulk;
    const input = requests.input(request);
    // Who wanted it the first time approves it no more the second time.
    const originator = request.originator ?? undefined;
    await askBulk({ bound: bound.in(request.project), origin, input, meant, stopAfter, originator });
  }

  /** Why those that did not go well did not, by their places. */
  async function reasonsOf(request: Request, targets: readonly BulkTarget[]): Promise<Map<number, string>> {
    const reasons = new Map<number, string>();
    for (const [at, outcome] of request.bulk?.outcomes.entries() ?? []) {
      const target = targets[at];
      if (outcome === "done" || outcome === "waiting" || !target) continue;
      const tries = request.bulk?.putOff[at]?.times ?? 0;
      reasons.set(at, (await requests.read(partId(request.id, target.id, tries)))?.outcome ?? "");
    }
    return reasons;
  }

  return {
    async stop(id, origin) {
      for (;;) {
        const request = await requests.read(id);
        if (!request || !isBulkAtWork(request)) return say.state(id, origin);
        const may = [request.slackUser, ...request.approvals.map(({ slackUser }) => slackUser)];
        if (!may.includes(origin.slackUser) && !(await access.isAdmin(origin.slackUser)))
          throw new Refusal(`Only <@${request.slackUser}>, who approved it, or an admin can stop this.`);
        if (request.bulk.stopped !== null) return say.state(id, origin);
        const stopped = `<@${origin.slackUser}> stopped it.`;
        const { waiting } = tally(request.bulk);
        const advanced = await requests.advance(
          request,
          { bulk: { ...request.bulk, stopped } },
          { note: { what: "stopped", outcome: `${stopped} Not begun: ${waiting}.` }, stepAt: clock.now() },
        );
        if (advanced) return;
      }
    },
    again: (id, origin) => anew(id, origin, "failed"),
    rest: (id, origin) => anew(id, origin, "waiting"),
    async list(id, origin) {
      const request = await requests.read(id);
      const targets = await requests.targets.read(id);
      if (!request?.bulk || targets.length === 0) return say.state(id, origin);
      await access.admit(origin.slackUser);
      const content = bulkFile(request, targets, await reasonsOf(request, targets));
      await reply.file(origin, { name: `${request.command.replaceAll(" ", "-")}.csv`, content }, request.verb);
    },
  };
}
