import type { Logger } from "pino";
import { type Chat, SlackRefused } from "../../chat/chat.ts";
import type { Clock } from "../../clock.ts";
import type { Answer, Reconciled, Secret } from "../../operation/answer.ts";
import { labelOf } from "../../operation/fields.ts";
import { type Act, attempt, type Operation } from "../../operation/operation.ts";
import type { Registry } from "../../operation/registry.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { Block, Message } from "../../views/blocks.ts";
import type { Access } from "../access.ts";
import { stepBlocks } from "../answers/answers.ts";
import { errorText, keyOf, mayComeAgain, outcomeUnknown } from "../answers/error-text.ts";
import { offerTo } from "../answers/offer.ts";
import type { Origin } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { Binder, BoundOperation } from "../bound.ts";
import { type Follow, workingMessage } from "../jobs/follow.ts";
import type { Audit } from "../records/audit.ts";
import type { Secrets } from "../records/secrets.ts";
import { isOpen, type Request } from "./request.ts";
import type { RequestStore } from "./store.ts";
import { asideOf, leadOf, requestMessage, titleOf } from "./view.ts";

export interface RunDeps {
  requests: RequestStore;
  registry: Registry;
  access: Access;
  binder: Binder;
  reply: Reply;
  chat: Chat;
  follow: Follow;
  audit: Audit;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
}

/** Milliseconds after which an unknown outcome is looked at again: growing, for ten minutes. */
const looks = [2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000];
/** A write may take effect late: "not done" is believed only after this. */
const believeAfter = 45_000;

export interface RequestRun {
  begin(request: Request, bound: BoundOperation): Promise<Act>;
  /** Carries out a claimed request, once. `pressed` is where the button was, for a request that only its asker sees. */
  run(request: Request, act: Act, bound: BoundOperation, pressed: Origin): Promise<void>;
  /** Keeps a request whose outcome nobody knows, to be looked at until it is clear. */
  markUnknown(request: Request, words: string): Promise<Request>;
  /** One more look at what became of it. */
  reconcile(request: Request): Promise<void>;
  isRunning(id: string): boolean;
  /** Records in the audit what came of a request. */
  note(request: Request, what: string, words: string): Promise<void>;
  show(request: Request, pressed?: Origin | null, steps?: Block[]): Promise<void>;
}

export function createRequestRun(deps: RunDeps): RequestRun {
  const { requests, registry, access, binder, reply, chat, follow, audit, secrets, clock, log } = deps;
  const running = new Set<string>();

  async function note(request: Request, what: string, words: string): Promise<void> {
    const { member, slackUser, decidedBy, keyLabel, command, target, id } = request;
    const approver = decidedBy && decidedBy !== slackUser ? `${member.split(":")[0]}:${decidedBy}` : null;
    await audit.add({ what, member, slackUser, approver, keyLabel, command, target, words, request: id });
  }

  function begin(request: Request, bound: BoundOperation): Promise<Act> {
    const { id, target } = request;
    const input = requests.input(request);
    return bound.begin({ id, targetId: target?.id ?? null, input, resolved: true, now: clock.now() });
  }

  async function show(request: Request, pressed: Origin | null = null, steps: Block[] = []): Promise<void> {
    const message = requestMessage(request, { alone: request.risk === "spend", steps });
    if (request.message) return replace(request, message);
    if (pressed) await reply.ephemeral(pressed, message, { replace: true });
  }

  // What Slack does with a message decides nothing: the request goes on, and its end reaches who asked.
  async function replace(request: Request, message: Message): Promise<void> {
    if (!request.message) return;
    try {
      await chat.update(request.message, message);
    } catch (error) {
      log.warn({ err: error, request: request.id }, "The message of a request could not be edited");
      if (error instanceof SlackRefused && !isOpen(request)) await chat.postDirectMessage(request.slackUser, message);
    }
  }

  async function finish(
    request: Request,
    bound: BoundOperation,
    answer: Answer,
    pressed: Origin | null,
  ): Promise<void> {
    const generated = secretsOf(request, bound.operation);
    const done: Request = { ...request, state: "done", words: answer.text, sealed: null };
    // Before the input is erased: a crash in between offers it again, and loses nothing.
    await offer(done, [...generated, ...(answer.secrets ?? [])], titleOf(done));
    await requests.save(done);
    await note(done, "done", answer.text);
    await announce(done, bound, answer, pressed);
  }

  async function offer(request: Request, shown: Secret[], title: string): Promise<void> {
    if (shown.length === 0) return;
    try {
      await secrets.offer(request, title, shown);
    } catch (error) {
      log.error({ err: error, request: request.id }, "A one-time secret could not be offered");
    }
  }

  /** The request's own message becomes the news; what only its asker saw is announced in the channel. */
  async function announce(
    request: Request,
    bound: BoundOperation,
    answer: Answer,
    pressed: Origin | null,
  ): Promise<void> {
    const steps = stepBlocks(answer.next ?? [], offerTo(bound.links, registry), request.target?.name ?? "");
    const goesOn = bound.operation.follow !== null && answer.handle !== undefined && answer.handle !== null;
    const lead = leadOf(request);
    const news = goesOn
      ? workingMessage({ lead, text: answer.text, aside: asideOf(request) }, steps)
      : requestMessage(request, { alone: false, steps });
    const ref = request.message ?? (await reply.inChannel(request.origin, news, { lasting: goesOn }));
    // Before anything else is told: a crash in between must not lose what goes on.
    if (goesOn && ref && answer.handle !== undefined) {
      await follow.start({
        bound,
        target: request.target,
        handle: answer.handle,
        lead,
        text: answer.text,
        aside: asideOf(request),
        ref,
      });
    }
    await replace(request, news);
    if (!request.message) await show(request, pressed);
  }

  function secretsOf(request: Request, operation: Operation): Secret[] {
    const input = requests.input(request);
    return request.generated.map((name) => ({
      label: labelOf(operation.input, name),
      value: String(input[name] ?? ""),
    }));
  }

  async function fail(request: Request, bound: BoundOperation, error: unknown, pressed: Origin): Promise<void> {
    await access.markRejected(request.member, error);
    const words = await wordsOf(request, bound, error);
    if (outcomeUnknown(error)) {
      const unknown = await markUnknown(request, words);
      return show(unknown, pressed);
    }
    if (mayComeAgain(error) && clock.now() < request.expiresAt) {
      const reopened: Request = { ...request, state: "pending", words, decidedBy: null, decidedAt: null };
      await note(request, "refused", words);
      await requests.save(reopened);
      await requests.release(request.id);
      await requests.wake(request.id, request.expiresAt);
      return show(reopened, pressed);
    }
    const refused: Request = { ...request, state: "refused", words, sealed: null };
    await requests.save(refused);
    await note(refused, "refused", words);
    await show(refused, pressed);
  }

  /** What went wrong, for all who read the request: it ran with the requester's key. A 404 may be about the machine alone. */
  async function wordsOf(request: Request, bound: BoundOperation, error: unknown): Promise<string> {
    const missing = error instanceof PlatformRefused && error.status === 404 && request.target;
    const meaning = missing ? await bound.explainMissing(missing.id).catch(() => null) : null;
    return meaning ?? errorText(error, clock.now(), keyOf(request.slackUser)).text;
  }

  async function markUnknown(request: Request, words: string): Promise<Request> {
    const unknown: Request = {
      ...request,
      state: "unknown",
      words: `${words} I look at it until it is clear; do not ask for it again until then.`,
      looks: 0,
    };
    await requests.save(unknown);
    await requests.wake(request.id, clock.now() + (looks[0] ?? 0));
    await note(unknown, "unknown", words);
    return unknown;
  }

  async function settled(request: Request, found: Reconciled, bound: BoundOperation): Promise<void> {
    const at = request.decidedAt ?? request.createdAt;
    if (found.is === "done") {
      const { handle = null, next = [] } = found;
      return finish(request, bound, { text: `It was done after all: ${found.text}`, handle, next }, null);
    }
    if (found.is === "not done" && clock.now() - at >= believeAfter) {
      return close(request, "refused", `It was not done: ${found.text} Nothing changed, and it is safe to ask again.`);
    }
    await lookLater(request, found.text, bound.operation);
  }

  async function lookLater(request: Request, words: string, operation: Operation): Promise<void> {
    // What costs and destroys nothing is not worth ten minutes of looks.
    const next = looks.slice(0, request.risk === "change" ? 5 : looks.length)[request.looks + 1];
    if (next === undefined) {
      const title = `${titleOf(request)} (if it took effect)`;
      await offer(request, secretsOf(request, operation), title);
      return close(
        request,
        "refused",
        `It could not be found out whether it was done. ${words} Look at it yourself before you ask again.`,
      );
    }
    await requests.save({ ...request, looks: request.looks + 1 });
    await requests.wake(request.id, clock.now() + next);
  }

  async function close(request: Request, state: Request["state"], words: string): Promise<void> {
    const closed: Request = { ...request, state, words, sealed: null };
    await requests.save(closed);
    await note(closed, "settled", words);
    await show(closed);
    if (!closed.message) await reply.ephemeral(closed.origin, requestMessage(closed, { alone: true }));
  }

  async function look(request: Request, bound: BoundOperation): Promise<{ found: Reconciled } | { error: unknown }> {
    try {
      const act = await begin(request, bound);
      return { found: await act.reconcile(request.before, request.decidedAt ?? request.createdAt) };
    } catch (error) {
      return { error };
    }
  }

  return {
    begin,
    note,
    markUnknown,
    isRunning: (id) => running.has(id),
    show,
    async run(request, act, bound, pressed) {
      running.add(request.id);
      try {
        await requests.save(request);
        await note(request, "approved", "Approved.");
        if (request.message) await show(request);
        const ran = await attempt(act, request.before);
        if ("answer" in ran) return await finish(request, bound, ran.answer, pressed);
        log.warn({ err: ran.error, command: request.command, request: request.id }, "A request was not carried out");
        await fail(request, bound, ran.error, pressed);
      } finally {
        running.delete(request.id);
      }
    },
    async reconcile(request) {
      const operation = registry.find(request.command);
      const bound = operation && operation.api !== "app" ? await binder.bindIfLinked(operation, request.member) : null;
      if (!operation || !bound || bound.link.keyId !== request.keyId) {
        if (operation) await offer(request, secretsOf(request, operation), `${titleOf(request)} (if it took effect)`);
        return close(
          request,
          "refused",
          "It could not be found out whether it was done: the key that it was asked with is no longer linked. Look at it yourself.",
        );
      }
      const narrowed = bound.in(request.project);
      const looked = await look(request, narrowed);
      // Outside of what is caught: a failure to tell of it must not turn what is settled back into a doubt.
      if ("found" in looked) return settled(request, looked.found, narrowed);
      log.warn({ err: looked.error, request: request.id }, "A look at an unknown outcome failed");
      await lookLater(request, await wordsOf(request, bound, looked.error), operation);
    },
  };
}
