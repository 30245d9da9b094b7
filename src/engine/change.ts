import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Answer } from "../operation/answer.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret, labelOf } from "../operation/fields.ts";
import { type Act, attempt, type Invocation } from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import type { Values } from "../storage/store.ts";
import { code } from "../views/text.ts";
import { openAnswer, projectWords, stepBlocks } from "./answers/answers.ts";
import { errorText, outcomeUnknown } from "./answers/error-text.ts";
import { offerTo } from "./answers/offer.ts";
import type { Origin } from "./answers/origin.ts";
import type { Reply } from "./answers/reply.ts";
import type { BoundOperation } from "./bound.ts";
import { type Follow, workingMessage } from "./jobs/follow.ts";
import type { Audit } from "./records/audit.ts";
import type { Secrets } from "./records/secrets.ts";
import type { Requests } from "./requests/requests.ts";
import { titleOf } from "./requests/view.ts";

/** What a member wants changed at once, and where they said so. */
export interface Changing {
  bound: BoundOperation;
  act: Act;
  invocation: Invocation;
  origin: Origin;
  /** Inputs that were generated, to be shown once. */
  generated: string[];
}

interface Deps {
  registry: Registry;
  requests: Requests;
  follow: Follow;
  audit: Audit;
  secrets: Secrets;
  reply: Reply;
  /** Runs in progress, so that a second press of the same thing is told so. */
  inFlight: Values;
  clock: Clock;
  log: Logger;
}

/** A press right after the same one ended is the second half of a double press. */
const pressGuard = 3_000;
const runLimit = 2 * 60_000;

/** Runs what is done at once, and tells the channel who did what. */
export function createChange(deps: Deps): (changing: Changing) => Promise<void> {
  const { registry, requests, follow, audit, secrets, reply, inFlight, clock, log } = deps;

  async function note({ bound, act }: Changing, what: string, words: string): Promise<void> {
    const { member, slackUser, keyLabel } = bound.actor;
    const { command } = bound.operation;
    const entry = { what, member, slackUser, keyLabel, command, words, target: act.target };
    await audit.add({ ...entry, approver: null, request: null });
  }

  async function markUnknown(changing: Changing, error: unknown): Promise<void> {
    const { bound, act, generated, origin } = changing;
    log.warn({ err: error, command: bound.operation.command }, "Nobody knows whether a change was made");
    await requests.markUnknown({ bound, act, input: act.input, generated, origin }, errorText(error, clock.now()).text);
  }

  async function offerSecrets({ bound, act, generated }: Changing, answer: Answer): Promise<void> {
    const { operation, actor } = bound;
    const made = generated.map((field) => ({
      label: labelOf(operation.input, field),
      value: String(act.input[field] ?? ""),
    }));
    const shown = [...made, ...(answer.secrets ?? [])];
    if (shown.length === 0) return;
    // It is sealed and kept by then; that Slack takes no message now undoes nothing.
    await secrets
      .offer(actor, `${operation.verb} ${code(act.target?.name ?? "")}`, shown)
      .catch((error: unknown) => log.error({ err: error }, "A one-time secret could not be offered"));
  }

  async function announce(changing: Changing, answer: Answer): Promise<void> {
    const { bound, act, origin } = changing;
    const { operation, actor, links } = bound;
    const name = act.target?.name ?? "";
    const lead = `*${operation.verb}${name ? ` ${code(name)}` : ""}* · <@${origin.slackUser}>${projectWords(actor.project)}`;
    await offerSecrets(changing, answer);
    const steps = stepBlocks(answer.next ?? [], offerTo(links, registry), name);
    const { handle } = answer;
    if (!operation.follow || handle === undefined || handle === null) {
      await reply.inChannel(origin, openAnswer(`${lead}\n`, answer, steps));
      return;
    }
    const ref = await reply.inChannel(origin, workingMessage({ lead, text: answer.text }, steps), { lasting: true });
    if (ref) await follow.start({ bound, target: act.target, handle, lead, text: answer.text, ref });
  }

  return async (changing) => {
    const { bound, act, origin } = changing;
    const key = sameness(changing);
    if (!(await inFlight.claim(key, origin.slackUser, runLimit))) {
      const title = titleOf({ verb: bound.operation.verb, target: act.target });
      throw new Refusal(`${title} was asked for a moment ago. Nothing was done twice.`);
    }
    const ran = await attempt(act);
    if ("answer" in ran) {
      // Together, so that they wait for the disk once.
      await Promise.all([inFlight.set(key, origin.slackUser, pressGuard), note(changing, "done", ran.answer.text)]);
      return announce(changing, ran.answer);
    }
    if (outcomeUnknown(ran.error)) return markUnknown(changing, ran.error);
    await inFlight.delete(key);
    await note(changing, "refused", errorText(ran.error, clock.now()).text);
    throw ran.error;
  };
}

/** The same thing asked twice at once is one press too many, whoever pressed. What is secret in it is left out. */
function sameness({ bound, act, invocation }: Changing): string {
  const { operation, actor } = bound;
  const secret = new Set(
    fieldsOf(operation.input)
      .filter(isSecret)
      .map(({ name }) => name),
  );
  const open = Object.entries(invocation.input).filter(([name]) => !secret.has(name));
  return `${operation.command} ${act.target?.id ?? actor.member} ${JSON.stringify(open)}`;
}
