import type { Access } from "../../../access/access.ts";
import type { Binder } from "../../../access/bound.ts";
import type { Origin } from "../../../notifications/origin.ts";
import type { Reply } from "../../../notifications/reply.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { RequestChecks } from "../../checks.ts";
import type { FindFor } from "../../find-for.ts";
import { isBulkWorking, type Request } from "../../request.ts";
import type { StateAnswers } from "../../state-answers.ts";
import { step } from "../../step.ts";
import type { RequestStore } from "../../store.ts";
import type { Visibilities } from "../../visibility.ts";
import { tally } from "./progress.ts";
import type { ProposeBulk } from "./propose.ts";
import { type BulkTarget, type Outcome, targetRequestId } from "./record.ts";
import { bulkFile } from "./view.ts";

/** The buttons of a bulk request. */
export interface DecideBulk {
  /** Begins no more targets. Those under way go on to their end. */
  stop(id: string, origin: Origin): Promise<void>;
  /** Makes a new bulk request of the targets that failed. */
  again(id: string, origin: Origin): Promise<void>;
  /** Makes a new bulk request of the targets that were never begun. */
  rest(id: string, origin: Origin): Promise<void>;
  /** Sends the presser a CSV file of all targets. */
  list(id: string, origin: Origin): Promise<void>;
}

export function createDecideBulk(deps: {
  requests: RequestStore;
  findFor: FindFor;
  checks: Pick<RequestChecks, "operation" | "may">;
  access: Pick<Access, "admit">;
  binder: Pick<Binder, "bind">;
  proposeBulk: ProposeBulk;
  visibilities: Visibilities;
  say: Pick<StateAnswers, "state">;
  reply: Pick<Reply, "file">;
  clock: { now(): number };
}): DecideBulk {
  const { requests, findFor, checks, access, binder, proposeBulk, visibilities, say, reply, clock } = deps;

  /** Refuses a member who may not see all of the request: the file and the buttons reveal targets, losses and outcomes. */
  async function requireFullAccess(request: Request, origin: Origin): Promise<void> {
    if ((await visibilities.of(origin).at(request)) === "whole") return;
    throw new Refusal(
      `Only <@${request.slackUser}>, who decides it, and those in its channel whose keys list all of it are shown that. Nothing was done.`,
    );
  }

  async function askAgainFor(id: string, origin: Origin, which: Outcome): Promise<void> {
    const request = await requests.read(id);
    if (!request?.bulk || isBulkWorking(request)) return say.state(id, origin);
    const operation = checks.operation(request);
    if (!operation) throw new Refusal("This version of Rackbell no longer has that command. Nothing was asked.");
    await access.admit(origin.slackUser);
    await requireFullAccess(request, origin);
    const { bulk } = request;
    const targets = await requests.targets.read(id);
    const chosen = targets.filter((_, at) => bulk.outcomes[at] === which);
    if (chosen.length === 0)
      throw new Refusal("Which ones those were is no longer known. Nothing was asked. Name them in a command.");
    const bound = await binder.bind(operation, origin.member);
    const { stopAfter } = bulk;
    const input = request.sealed === null ? requests.inputAgain(request) : requests.input(request);
    // The originator of the first request must not approve the second one.
    const originator = request.originator ?? undefined;
    await proposeBulk({ bound: bound.in(request.project), origin, input, meant: chosen, stopAfter, originator });
  }

  /** Reads the outcome of each target that did not succeed. The keys are positions in `targets`. */
  async function reasonsOf(request: Request, targets: readonly BulkTarget[]): Promise<Map<number, string>> {
    const reasons = new Map<number, string>();
    for (const [at, outcome] of request.bulk?.outcomes.entries() ?? []) {
      const target = targets[at];
      if (outcome === "done" || outcome === "waiting" || !target) continue;
      const tries = request.bulk?.putOff[at]?.times ?? 0;
      reasons.set(at, (await requests.read(targetRequestId(request.id, target.id, tries)))?.outcome ?? "");
    }
    return reasons;
  }

  return {
    async stop(id, origin) {
      for (;;) {
        const request = await findFor("stopBulk", id, origin);
        if (!request?.bulk) return;
        await checks.may("stopBulk", request, origin);
        const stopped = `<@${origin.slackUser}> stopped it.`;
        const { waiting } = tally(request.bulk);
        const advanced = await step(
          requests,
          request,
          "stopBulk",
          { bulk: { ...request.bulk, stopped } },
          { said: `${stopped} Not begun: ${waiting}.`, stepAt: clock.now() },
        );
        if (advanced) return;
      }
    },
    again: (id, origin) => askAgainFor(id, origin, "failed"),
    rest: (id, origin) => askAgainFor(id, origin, "waiting"),
    async list(id, origin) {
      const request = await requests.read(id);
      const targets = await requests.targets.read(id);
      if (!request?.bulk || targets.length === 0) return say.state(id, origin);
      await access.admit(origin.slackUser);
      await requireFullAccess(request, origin);
      const content = bulkFile(request, targets, await reasonsOf(request, targets));
      await reply.file(origin, { name: `${request.command.replaceAll(" ", "-")}.csv`, content }, request.verb);
    },
  };
}
