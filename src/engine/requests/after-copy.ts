import type { Clock } from "../../clock.ts";
import type { Progress } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { isPlatformError, keyRejected } from "../../platform/http/errors.ts";
import type { Store } from "../../storage/store.ts";
import { code } from "../../views/text.ts";
import { errorText } from "../answers/error-text.ts";
import type { BoundOperation } from "../bound.ts";
import { ruleWords } from "../policy/words.ts";
import type { Copies } from "../records/copies.ts";
import { createChainStop } from "./chain-stop.ts";
import type { RequestChecks } from "./checks.ts";
import { type Copy, commandInHand, type Request, thingOf } from "./request.ts";
import { aboutOf, levelOf, type Rules } from "./rules.ts";
import type { RequestRun } from "./run.ts";
import type { RequestStore } from "./store.ts";
import { withThing } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";

/** Carries a request on from its copy to its act (design section 4): nothing is destroyed unless the copy is there and the facts hold. */
export interface AfterCopy {
  /** The copy's job has ended. When to go on (milliseconds since the epoch), or nothing where all has ended with it. */
  copyEnded(request: Request, end: Pick<Progress, "text" | "next"> & { is: Ended }): Promise<number | undefined>;
  /** The copy is there: it is looked at once more, the facts are read again, and it is done. */
  goOn(request: Request): Promise<number | undefined>;
  /** Keeps in mind that a copy was taken, whatever it was taken for. */
  remember(request: Request): Promise<void>;
}

type Ended = "done" | "failed" | "left";

export function createAfterCopy(deps: {
  store: Store;
  requests: RequestStore;
  checks: RequestChecks;
  run: Pick<RequestRun, "run">;
  rules: Rules;
  copies: Copies;
  clock: Clock;
}): AfterCopy {
  const { store, requests, checks, run, rules, copies, clock } = deps;
  const { stop, later } = createChainStop({ requests, rules, clock });

  /** Why it may not go on, as a sentence; null where it may. */
  async function whyNot(request: Request, copy: Copy, copying: BoundOperation): Promise<string | null> {
    const gone = await checks.asker(request).catch(refusalOf);
    if (gone) return gone;
    const { state, text } = await copying.poll(
      { targetId: request.target?.id ?? "", since: request.job?.since ?? request.createdAt, now: clock.now() },
      copy.handle,
    );
    return state === "done" ? null : `The copy ${code(copy.name)} is not there any more: ${text}`;
  }

  async function act(request: Request, copy: Copy, bound: BoundOperation, copying: BoundOperation) {
    const why = await whyNot(request, copy, copying);
    if (why !== null) return stop(request, "void", why);
    await refuseWhileUnclear(requests, request, request.risk, request.id);
    const checked = await checks.facts(request, bound);
    if (!("act" in checked)) return stop(request, "void", checked.changed);
    const { demand, rule } = await rules.verdict({ ...aboutOf(request), price: checked.price });
    const needed = request.glass ? 0 : levelOf(demand).needed;
    if (demand === "never" || needed > request.approvals.length)
      return stop(
        request,
        "void",
        `The rules of this workspace changed meanwhile. ${rule ? ruleWords(rule) : ""}`.trim(),
      );
    const claimed = await requests.advance(
      request,
      {
        ...{ state: "claimed", outcome: "", before: checked.before, price: checked.price },
        ...{ instance: store.instance, copy: { ...copy, step: "acting" } },
      },
      { note: { what: "begun", outcome: `The copy ${copy.name} is there, and the facts are as they were.` } },
    );
    if (!claimed) return;
    const { request: ran } = await run.run(claimed, checked.act, bound, "");
    if (ran.price !== null && (ran.state === "refused" || ran.state === "pending")) await rules.release(ran);
  }

  async function goOn(request: Request): Promise<number | undefined> {
    const { copy } = request;
    const operation = checks.operation(request);
    const taking = copy && checks.operation(copy);
    if (!copy || !operation || !taking)
      return stop(request, "void", "This version of Rackbell no longer has that command.");
    const bound = await checks.requester(request, operation);
    const copying = await checks.requester(request, taking);
    if (!bound || !copying) return stop(request, "void", `The key of <@${request.slackUser}> changed meanwhile.`);
    try {
      return await withThing(
        store.locks,
        thingOf(request),
        request,
        () => act(request, copy, bound, copying),
        () => later(request, "Something else went on with it for too long."),
      );
    } catch (error) {
      if (keyRejected(error))
        return stop(request, "void", `The platform no longer accepts the key of <@${request.slackUser}>.`);
      if (error instanceof Refusal || isPlatformError(error)) return later(request, errorText(error, clock.now()).text);
      throw error;
    }
  }

  async function remember(request: Request): Promise<void> {
    const { api, target, job } = request;
    const command = commandInHand(request);
    if (!target || !job || !checks.operation({ command })?.copy) return;
    await copies.remember({ api, command, target: target.id }, { handle: job.handle, at: clock.now() });
  }

  return {
    goOn,
    remember,
    async copyEnded(request, { is, text, next = [] }) {
      const { copy, job } = request;
      if (!copy || !job) return undefined;
      if (is !== "done") return stop(request, is, text);
      const taken: Copy = { ...copy, step: "taken", handle: job.handle, next };
      const words = `${text} Now the facts are read once more.`;
      await requests.advance(
        request,
        { copy: taken, job: { ...job, text: words, misses: 0 } },
        { note: { what: "copied", outcome: text } },
      );
      return clock.now();
    },
  };
}

/** What holds by now is not tried again: it is said. */
function refusalOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
