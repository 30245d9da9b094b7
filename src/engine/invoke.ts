import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Identities } from "../identities/identities.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret, labelOf } from "../operation/fields.ts";
import {
  type Act,
  type Answer,
  attempt,
  type BeginCall,
  type Invocation,
  type Operation,
} from "../operation/operation.ts";
import type { Registry } from "../operation/registry.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import type { Values } from "../storage/store.ts";
import { limits } from "../views/limits.ts";
import { clip, code, listing, oneLine } from "../views/text.ts";
import { type Access, actorOf, requireScope, type Session } from "./access.ts";
import {
  errorAnswer,
  narrowedAnswer,
  openAnswer,
  pickerMessage,
  privateAnswer,
  projectWords,
  stepBlocks,
} from "./answers/answers.ts";
import { correctionOf } from "./answers/correction.ts";
import { errorText, outcomeUnknown } from "./answers/error-text.ts";
import type { Origin } from "./answers/origin.ts";
import type { Reply } from "./answers/reply.ts";
import type { AppContext } from "./app-context.ts";
import type { Directory } from "./directory.ts";
import { type Follow, workingMessage } from "./jobs/follow.ts";
import type { Audit } from "./records/audit.ts";
import type { Secrets } from "./records/secrets.ts";
import type { Requests } from "./requests/requests.ts";
import { titleOf } from "./requests/view.ts";
import { resolveTarget } from "./resolve.ts";

export interface Engine {
  /** Carries out what a command, a form or a button asks for, and brings the answer to the member. Throws nothing. */
  invoke(invocation: Invocation, origin: Origin, generated?: string[]): Promise<void>;
  /** Runs `work` for a member and turns whatever goes wrong into an answer to them. */
  guard(origin: Origin, work: () => Promise<void>): Promise<void>;
}

interface Deps {
  registry: Registry;
  access: Access;
  identities: Identities;
  directory: Directory;
  requests: Requests;
  follow: Follow;
  audit: Audit;
  secrets: Secrets;
  reply: Reply;
  /** Runs in progress, so that a second press of the same thing is told so. */
  inFlight: Values;
  /** What the app's own operations work with. */
  services: AppContext;
  clock: Clock;
  log: Logger;
  /** Told of every invocation that ended, for the metrics. */
  onInvoked?: (command: string, outcome: "ok" | "refused" | "failed") => void;
}

/** A press right after the same one ended is the second half of a double press. */
const pressGuard = 3_000;
const runLimit = 2 * 60_000;

export function createEngine(deps: Deps): Engine {
  const { registry, access, identities, directory, requests, follow, audit, secrets, reply, clock, log } = deps;

  async function carryOut(invocation: Invocation, origin: Origin, generated: string[]): Promise<void> {
    const operation = registry.find(invocation.command);
    if (!operation)
      throw new Refusal(`There is no ${code(invocation.command)} any more. \`/rackbell help\` shows what there is.`);
    await access.admit(origin.slackUser);
    const fault = operation.check(invocation.input);
    if (fault) throw fault;
    if (operation.api === "app") return ownOperation(operation, invocation, origin);
    const session = await access.session(origin.member);
    requireScope(operation, session.actor);
    const target = await findTarget(operation, invocation, session);
    if (target.is === "many") {
      const candidates = target.entries.map(({ id, name, detail }) => ({
        id,
        label: clip(`${oneLine(name)} · ${detail}`, limits.button.text),
      }));
      return reply.ephemeral(origin, pickerMessage(operation, invocation, code(invocation.target ?? ""), candidates));
    }
    await act({ operation, invocation, origin, session, generated, targetId: target.id, name: target.name });
  }

  async function findTarget(operation: Operation, invocation: Invocation, session: Session) {
    if (!operation.target || invocation.target === undefined) return { is: "id" as const, id: null, name: null };
    return resolveTarget(directory, session, operation.target, invocation.target);
  }

  async function ownOperation(operation: Operation, invocation: Invocation, origin: Origin): Promise<void> {
    const linked = await identities.find(origin.member);
    const actor = linked ? actorOf(linked) : strangerOf(origin);
    const act = await operation.begin({
      id: randomUUID(),
      client: null,
      context: deps.services,
      actor,
      targetId: null,
      input: invocation.input,
      now: clock.now(),
      listing: () => Promise.reject(new Error("An operation of the app's own has no directory")),
    });
    const answer = await act.run();
    if (answer.file) return reply.file(origin, answer.file, answer.text);
    // Read again: linking changes what can be offered.
    const scopes = (await identities.find(origin.member))?.scopes ?? [];
    await reply.ephemeral(origin, privateAnswer(answer, { registry, scopes, name: "", share: null }), {
      replace: invocation.replace === true,
    });
  }

  interface Doing {
    operation: Operation;
    invocation: Invocation;
    origin: Origin;
    session: Session;
    generated: string[];
    targetId: string | null;
    /** What the directory called the target, where it was found by a name. */
    name: string | null;
  }

  async function act(doing: Doing): Promise<void> {
    const { operation, session, targetId } = doing;
    try {
      const begun = await operation.begin(beginCall(doing));
      if (begun.risk === "read") return await read(doing, begun);
      refuseRenamed(doing, begun);
      if (begun.risk === "change") return await change(doing, begun);
      const { origin, generated } = doing;
      await requests.ask({
        operation,
        act: begun,
        risk: begun.risk,
        input: begun.input,
        generated,
        session,
        origin,
      });
    } catch (error) {
      throw await explained(error, operation, session, targetId);
    }
  }

  // The directory may be minutes old: what was called so then may by now be another machine's name.
  function refuseRenamed({ session, name }: Doing, begun: Act): void {
    if (name === null || !begun.target || begun.target.name === name) return;
    directory.forget(session.actor.member);
    throw new Refusal(
      `What was called ${code(name)} is called ${code(begun.target.name)} by now, so nothing was done. Ask again with the name that you mean.`,
    );
  }

  function beginCall({ session, targetId, invocation }: Doing): BeginCall {
    return {
      id: randomUUID(),
      client: session.client,
      context: null,
      actor: session.actor,
      targetId,
      input: invocation.input,
      now: clock.now(),
      listing: (kind) => directory.listing(session.actor.member, session.client, kind),
    };
  }

  async function read({ operation, invocation, origin, session }: Doing, begun: Act): Promise<void> {
    const answer = await begun.run();
    const name = begun.target?.name ?? "";
    if (invocation.share && !operation.personal) {
      const lead = `<@${origin.slackUser}> shows ${code(operation.command)}${projectWords(session.actor.project)}:`;
      await reply.inChannel(origin, openAnswer(lead, answer, []));
      return;
    }
    const { command, target, input } = invocation;
    const share =
      operation.personal || !origin.channel ? null : { command, input, ...(target === undefined ? {} : { target }) };
    const { scopes, project } = session.actor;
    await reply.ephemeral(origin, narrowedAnswer(privateAnswer(answer, { registry, scopes, name, share }), project), {
      replace: invocation.replace === true,
    });
  }

  async function change(doing: Doing, begun: Act): Promise<void> {
    const { operation, origin } = doing;
    const key = sameness(doing, begun);
    if (!(await deps.inFlight.claim(key, origin.slackUser, runLimit))) {
      throw new Refusal(
        `${titleOf({ verb: operation.verb, target: begun.target })} was asked for a moment ago. Nothing was done twice.`,
      );
    }
    const ran = await attempt(begun);
    if ("answer" in ran) {
      // Together, so that they wait for the disk once.
      await Promise.all([
        deps.inFlight.set(key, origin.slackUser, pressGuard),
        note(doing, begun, "done", ran.answer.text),
      ]);
      return announce(doing, begun, ran.answer);
    }
    if (outcomeUnknown(ran.error)) return doubt(doing, begun, ran.error);
    await deps.inFlight.delete(key);
    await note(doing, begun, "refused", errorText(ran.error, clock.now()).text);
    throw ran.error;
  }

  /** The same thing asked twice at once is one press too many, whoever pressed. What is secret in it is left out. */
  function sameness({ operation, invocation, session }: Doing, begun: Act): string {
    const secret = new Set(
      fieldsOf(operation.input)
        .filter(isSecret)
        .map(({ name }) => name),
    );
    const open = Object.entries(invocation.input).filter(([name]) => !secret.has(name));
    return `${operation.command} ${begun.target?.id ?? session.actor.member} ${JSON.stringify(open)}`;
  }

  async function doubt({ operation, generated, session, origin }: Doing, begun: Act, error: unknown) {
    log.warn({ err: error, command: operation.command }, "Nobody knows whether a change was made");
    const asked = { operation, act: begun, input: begun.input, generated, session, origin };
    await requests.markUnknown(asked, errorText(error, clock.now()).text);
  }

  async function announce(
    { operation, origin, session, generated, invocation }: Doing,
    begun: Act,
    answer: Answer,
  ): Promise<void> {
    const lead = `*${operation.verb}${begun.target ? ` ${code(begun.target.name)}` : ""}* · <@${origin.slackUser}>${projectWords(session.actor.project)}`;
    const made = generated.map((field) => ({
      label: labelOf(operation.input, field),
      value: String(invocation.input[field] ?? ""),
    }));
    const shown = [...made, ...(answer.secrets ?? [])];
    if (shown.length > 0) {
      // It is sealed and kept by then; that Slack takes no message now undoes nothing.
      await secrets
        .offer(session.actor, `${operation.verb} ${code(begun.target?.name ?? "")}`, shown)
        .catch((error: unknown) => log.error({ err: error }, "A one-time secret could not be offered"));
    }
    const steps = stepBlocks(answer.next ?? [], registry, session.actor.scopes, begun.target?.name ?? "");
    const { handle } = answer;
    if (!operation.follow || handle === undefined || handle === null) {
      await reply.inChannel(origin, openAnswer(`${lead}\n`, answer, steps));
      return;
    }
    const ref = await reply.inChannel(origin, workingMessage({ lead, text: answer.text }, steps), { lasting: true });
    if (ref) await follow.start({ operation, session, target: begun.target, handle, lead, text: answer.text, ref });
  }

  async function note({ operation, session }: Doing, begun: Act, what: string, words: string): Promise<void> {
    const { member, slackUser, keyLabel } = session.actor;
    await audit.add({
      what,
      member,
      slackUser,
      approver: null,
      keyLabel,
      command: operation.command,
      target: begun.target,
      words,
      request: null,
    });
  }

  /** Adds what can be known: a 404 with the right id, a key that is no longer what it was. */
  async function explained(
    error: unknown,
    operation: Operation,
    session: Session,
    targetId: string | null,
  ): Promise<unknown> {
    await access.markRejected(session.actor.member, error);
    if (!(error instanceof PlatformRefused)) return error;
    if (error.code === "SCOPE_REQUIRED") return scopesChanged(session, error);
    if (error.status !== 404 || !targetId || !operation.target) return error;
    const meaning = await operation.explainMissing(session.client, targetId).catch(() => null);
    return meaning ? new Refusal(meaning) : error;
  }

  async function scopesChanged(session: Session, error: PlatformRefused): Promise<unknown> {
    const refreshed = await identities.refresh(session.actor.member).catch(() => null);
    if (!refreshed || refreshed.lost.length === 0) return error;
    directory.forget(session.actor.member);
    const { text, next } = errorText(error, clock.now());
    return new Refusal(
      `Your key no longer has ${listing(refreshed.lost.map((scope) => code(scope)))}; what I offer you is now according to that. ${text}`,
      next,
    );
  }

  async function sayTrouble(error: unknown, origin: Origin, correction: Invocation | null): Promise<void> {
    const trouble = errorText(error, clock.now());
    const linked = await identities.find(origin.member).catch(() => null);
    const message = errorAnswer(trouble, registry, linked?.scopes ?? [], correction);
    await reply.ephemeral(origin, narrowedAnswer(message, linked?.project ?? null));
  }

  async function guard(
    origin: Origin,
    work: () => Promise<void>,
    correct: (error: unknown) => Invocation | null = () => null,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, "An interaction was answered with a sentence");
      await sayTrouble(error, origin, correct(error)).catch((second: unknown) =>
        log.error({ err: second }, "The member could not be told"),
      );
      return false;
    }
  }

  return {
    async invoke(invocation, origin, generated = []) {
      const operation = registry.find(invocation.command);
      const correct = (error: unknown) => (operation ? correctionOf(operation, invocation, error) : null);
      const fine = await guard(origin, () => carryOut(invocation, origin, generated), correct);
      deps.onInvoked?.(operation?.command ?? "unknown", fine ? "ok" : "refused");
    },
    async guard(origin, work) {
      await guard(origin, work);
    },
  };
}

function strangerOf({ member, slackUser }: Origin) {
  return { member, slackUser, scopes: [], keyLabel: "", project: null };
}
