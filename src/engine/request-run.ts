import type { Logger } from "pino";
import type { Chat } from "../chat/chat.ts";
import type { Clock } from "../clock.ts";
import type { Block } from "../views/blocks.ts";
import { prose } from "../views/text.ts";
import { type Access, inProject, type Session } from "./access.ts";
import { stepBlocks } from "./answers.ts";
import type { Audit } from "./audit.ts";
import { labelOf } from "./fields.ts";
import { type Follow, workingMessage } from "./follow.ts";
import type { Act, Answer, BeginCall, Listed, Listing, Operation, Settled } from "./operation.ts";
import type { Origin } from "./origin.ts";
import type { Registry } from "./registry.ts";
import type { Reply } from "./reply.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./request-store.ts";
import { leadOf, requestMessage, titleOf } from "./request-view.ts";
import type { Secrets } from "./secrets.ts";
import { mayComeAgain, outcomeUnknown, troubleOf } from "./sentences.ts";

export interface RunDeps {
  requests: RequestStore;
  registry: Registry;
  access: Access;
  reply: Reply;
  chat: Chat;
  follow: Follow;
  audit: Audit;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  listing(session: Session, kind: Listed): Promise<Listing>;
}

/** Milliseconds after which an unknown outcome is looked at again: growing, for ten minutes. */
const looks = [2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 120_000, 120_000, 120_000];
/** A write may take effect late: "not done" is believed only after this. */
const believeAfter = 45_000;

export interface RequestRun {
  begin(request: Request, session: Session, operation: Operation): Promise<Act>;
  /** Carries out a claimed request, once. `pressed` is where the button was, for a request that only its asker sees. */
  run(request: Request, act: Act, operation: Operation, session: Session, pressed: Origin): Promise<void>;
  /** One more look at what became of a request whose outcome nobody knows. */
  settle(request: Request): Promise<void>;
  isRunning(id: string): boolean;
  show(request: Request, pressed?: Origin | null, steps?: Block[]): Promise<void>;
}

export function createRequestRun(deps: RunDeps): RequestRun {
  const { requests, registry, access, reply, chat, follow, audit, secrets, clock, log } = deps;
  const running = new Set<string>();

  function beginCall(request: Request, session: Session): BeginCall {
    const { id, target } = request;
    return {
      id,
      client: session.client,
      services: null,
      actor: session.actor,
      targetId: target?.id ?? null,
      input: requests.input(request),
      now: clock.now(),
      listing: (kind) => deps.listing(session, kind),
    };
  }

  async function show(request: Request, pressed: Origin | null = null, steps: Block[] = []): Promise<void> {
    const alone = request.risk === "spend";
    const message = requestMessage(request, { alone, steps });
    if (request.message) return chat.update(request.message, message);
    if (pressed) await reply.privately(pressed, message, { replace: true });
  }

  async function note(request: Request, what: string, words: string): Promise<void> {
    const { member, slackUser, decidedBy, keyLabel, command, target, id } = request;
    const approver = decidedBy && decidedBy !== slackUser ? `${member.split(":")[0]}:${decidedBy}` : null;
    await audit.add({ what, member, slackUser, approver, keyLabel, command, target, words, request: id });
  }

  async function finish(
    request: Request,
    operation: Operation,
    session: Session,
    answer: Answer,
    pressed: Origin | null,
  ): Promise<void> {
    const generated = secretsOf(request, operation);
    const done: Request = { ...request, state: "done", words: answer.text, sealed: null };
    await requests.save(done);
    await note(done, "done", answer.text);
    const shown = [...generated, ...(answer.secrets ?? [])];
    if (shown.length > 0) await secrets.offer(session.actor, titleOf(done), shown);
    await announce(done, operation, session, answer, pressed);
  }

  /** The request's own message becomes the news; what only its asker saw is announced in the channel. */
  async function announce(
    request: Request,
    operation: Operation,
    session: Session,
    answer: Answer,
    pressed: Origin | null,
  ): Promise<void> {
    const steps = stepBlocks(answer.next ?? [], registry, session.actor.scopes, request.target?.name ?? "");
    const goesOn = operation.follow !== null && answer.handle !== undefined && answer.handle !== null;
    const lead = leadOf(request);
    const news = goesOn
      ? workingMessage({ lead, text: answer.text })
      : requestMessage(request, { alone: false, steps });
    if (!request.message) await show(request, pressed);
    const ref = request.message ?? (await reply.openly(request.origin, news, { lasting: goesOn }));
    if (request.message) await chat.update(request.message, news);
    if (!goesOn || !ref || answer.handle === undefined) return;
    await follow.start({
      operation,
      session,
      target: request.target,
      handle: answer.handle,
      lead,
      text: answer.text,
      ref,
    });
  }

  function secretsOf(request: Request, operation: Operation): { label: string; value: string }[] {
    const input = requests.input(request);
    return request.generated.map((name) => ({
      label: labelOf(operation.input, name),
      value: String(input[name] ?? ""),
    }));
  }

  async function fail(request: Request, error: unknown, pressed: Origin): Promise<void> {
    const trouble = troubleOf(error, clock.now());
    if (outcomeUnknown(error)) return leaveOpen(request, trouble.text, pressed);
    if (mayComeAgain(error) && clock.now() < request.expiresAt) {
      const reopened: Request = { ...request, state: "pending", words: trouble.text, decidedBy: null, decidedAt: null };
      await note(request, "refused", trouble.text);
      await requests.save(reopened);
      await requests.release(request.id);
      await requests.wake(request.id, request.expiresAt);
      return show(reopened, pressed);
    }
    const refused: Request = { ...request, state: "refused", words: trouble.text, sealed: null };
    await requests.save(refused);
    await note(refused, "refused", trouble.text);
    await show(refused, pressed);
  }

  async function leaveOpen(request: Request, words: string, pressed: Origin | null): Promise<void> {
    const unknown: Request = {
      ...request,
      state: "unknown",
      words: `${words} I look at it until it is clear; do not ask for it again until then.`,
      looks: 0,
    };
    await requests.save(unknown);
    await requests.wake(request.id, clock.now() + (looks[0] ?? 0));
    await note(unknown, "unknown", words);
    await show(unknown, pressed);
  }

  async function settled(request: Request, found: Settled, operation: Operation, session: Session): Promise<void> {
    const at = request.decidedAt ?? request.createdAt;
    if (found.is === "done") {
      const handle = found.handle === undefined ? {} : { handle: found.handle };
      return finish(request, operation, session, { text: `It was done after all: ${found.text}`, ...handle }, null);
    }
    if (found.is === "not done" && clock.now() - at >= believeAfter) {
      return close(request, "refused", `It was not done: ${found.text} Nothing changed, and it is safe to ask again.`);
    }
    await lookLater(request, found.text);
  }

  async function lookLater(request: Request, words: string): Promise<void> {
    const next = looks[request.looks + 1];
    if (next === undefined) {
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
    if (!closed.message) await reply.privately(closed.origin, requestMessage(closed, { alone: true }));
  }

  return {
    begin: (request, session, operation) => operation.begin(beginCall(request, session)),
    isRunning: (id) => running.has(id),
    show,
    async run(request, act, operation, session, pressed) {
      running.add(request.id);
      try {
        const ran = await attempt(act);
        if ("answer" in ran) return await finish(request, operation, session, ran.answer, pressed);
        log.warn({ err: ran.error, command: request.command, request: request.id }, "A request was not carried out");
        await fail(request, ran.error, pressed);
      } finally {
        running.delete(request.id);
      }
    },
    async settle(request) {
      const operation = registry.find(request.command);
      const session = await access.session(request.member).catch(() => null);
      if (!operation || !session || session.linked.keyId !== request.keyId) {
        return close(
          request,
          "refused",
          "It could not be found out whether it was done: the key that it was asked with is no longer linked. Look at it yourself.",
        );
      }
      try {
        const narrowed = inProject(session, request.project);
        const act = await operation.begin(beginCall(request, narrowed));
        await settled(
          request,
          await act.reconcile(request.before, request.decidedAt ?? request.createdAt),
          operation,
          narrowed,
        );
      } catch (error) {
        log.warn({ err: error, request: request.id }, "A look at an unknown outcome failed");
        await lookLater(request, prose(troubleOf(error, clock.now()).text));
      }
    },
  };
}

// Only the write itself is caught: a failure to tell of it must not read as a failure to do it.
async function attempt(act: Act): Promise<{ answer: Answer } | { error: unknown }> {
  try {
    return { answer: await act.run() };
  } catch (error) {
    return { error };
  }
}
