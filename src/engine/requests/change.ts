import type { Clock } from "../../clock.ts";
import { Refusal } from "../../operation/errors.ts";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { Act } from "../../operation/operation.ts";
import { reasonField } from "../../operation/reason.ts";
import { verbWordsOf } from "../../operation/registry.ts";
import type { Store } from "../../storage/store.ts";
import { askingNobody, createRequest, type Wanted } from "./create.ts";
import { planChange } from "./plan-change.ts";
import type { Request } from "./request.ts";
import type { RequestRun } from "./run.ts";
import type { RequestStore } from "./store.ts";
import { underWay, withThing } from "./thing-lock.ts";
import { refuseWhileUnclear } from "./unclear.ts";
import { titleOf } from "./view.ts";

/** Runs what is done at once. It is written before it is sent, so that it is recovered like what was asked first. */
export type Change = (wanted: Wanted) => Promise<void>;

const nothingToReview = {
  ...{ consequence: "", press: null, back: null, material: [], shown: [], personal: [], price: null },
};

/** A press right after the same one ended is the second half of a double press. */
const pressGuard = 3_000;
const runLimit = 2 * 60_000;

export function createChange(deps: { store: Store; requests: RequestStore; run: RequestRun; clock: Clock }): Change {
  const { store, requests, run, clock } = deps;
  const justEnded = store.ephemeral("just-ended");

  async function runOnce(wanted: Wanted): Promise<Request> {
    const { bound, act, origin } = wanted;
    const { member } = bound.actor;
    const { command } = bound.operation;
    await refuseWhileUnclear(requests, { target: act.target, member, command }, "change");
    const before = await act.before();
    const asking = askingNobody({ ...nothingToReview, before }, origin);
    const made = createRequest(wanted, asking, { now: clock.now(), seal: requests.seal });
    const begun = await requests.create(
      { ...made, instance: store.instance },
      { note: { what: "begun", outcome: "Begun." }, silent: true },
    );
    const ran = await run.run(begun, act, bound);
    // What was refused is told to who asked, with the way to put it right.
    if (ran.request.state === "refused") throw ran.error;
    return ran.request;
  }

  /** Whatever noun names it, one thing has one act under way: a second at the same time would be told of by the first. */
  async function runAlone(wanted: Wanted): Promise<Request> {
    const { act, origin } = wanted;
    if (!act.target) return runOnce(wanted);
    const holder = { id: act.id, slackUser: origin.slackUser, verb: act.verb, target: act.target };
    return withThing(
      store.locks,
      act.target.id,
      holder,
      () => runOnce(wanted),
      async (by) => {
        throw new Refusal(underWay(by));
      },
    );
  }

  return async (wanted) => {
    const { act, origin } = wanted;
    const same = sameness(wanted);
    // A lock and no mark: with the process that took it, it is gone at once.
    const locked = await store.locks.lock(`change:${same}`, origin.slackUser, runLimit);
    if ("holder" in locked) throw askedAlready(act);
    try {
      if ((await justEnded.get(same)) !== undefined) throw askedAlready(act);
      const { state } = await (wanted.when ? planChange({ requests, clock }, wanted, wanted.when) : runAlone(wanted));
      // Of what is not clear it is the doubt that stops a second one, and says so.
      if (state !== "unknown") await justEnded.set(same, origin.slackUser, pressGuard);
    } finally {
      await store.locks.unlock(`change:${same}`, locked.fence);
    }
  };
}

function askedAlready(act: Act): Refusal {
  return new Refusal(`${titleOf(act)} was asked for a moment ago. Nothing was done twice.`);
}

/** The same thing asked twice at once is one press too many, whoever pressed and by whichever noun. What is secret in it is left out. */
function sameness({ bound, act, bulk, when }: Wanted): string {
  const { operation, actor } = bound;
  const secret = new Set(
    fieldsOf(operation.input)
      .filter(isSecret)
      .map(({ name }) => name),
  );
  const open = Object.entries(act.input).filter(([name]) => !secret.has(name) && name !== reasonField);
  const what = bulk?.digest ?? act.target?.id ?? actor.member;
  return `${verbWordsOf(operation)} ${what} ${JSON.stringify(open)} ${when?.at ?? ""}`;
}
