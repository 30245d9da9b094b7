import { may } from "../engine/access.ts";
import { offeredForm } from "../engine/answers/answers.ts";
import type { Origin } from "../engine/answers/origin.ts";
import type { Reply } from "../engine/answers/reply.ts";
import type { AppContext } from "../engine/app-context.ts";
import type { Invoke } from "../engine/invoke.ts";
import type { WhichNoun } from "../engine/which-noun.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import type { Invocation, Operation } from "../operation/operation.ts";
import { section } from "../views/blocks.ts";
import type { FormOpener } from "./forms/form.ts";
import type { Home } from "./home/home.ts";
import type { WorkQueue } from "./queue.ts";

export const busy = "I am busy with other work right now, so nothing was done. Try again in a few seconds.";

/** Hands on what Slack brought, once it is acknowledged: at once where a trigger is waiting, else by the queue. */
export interface Dispatch {
  /**
   * Opens the form that an invocation still needs, or carries it out. False when there is no room; the member is then not told yet.
   * Without a trigger, which an event has not, the form is offered by a button.
   */
  invoke(invocation: Invocation, origin: Origin, trigger: string | null): Promise<boolean>;
  /** The same for the one of several that is meant: their noun was left out, and things have to be looked up to tell. */
  invokeOneOf(readings: Invocation[], origin: Origin): boolean;
  /** Work that nobody waits for within Slack's three seconds; what goes wrong in it becomes an answer. False when there is no room. */
  enqueue(origin: Origin, task: () => Promise<void>): boolean;
  /** The same, telling the member where there is no room. */
  enqueueOrSay(origin: Origin, task: () => Promise<void>): Promise<void>;
  say(origin: Origin, text: string): Promise<void>;
}

export function createDispatch(deps: {
  context: Pick<AppContext, "registry" | "access">;
  invoke: Invoke;
  whichNoun: WhichNoun;
  homeTab: Home;
  forms: { plain: FormOpener; wizard: FormOpener };
  reply: Reply;
  queue: WorkQueue;
}): Dispatch {
  const { context, invoke, whichNoun, homeTab, forms, reply, queue } = deps;
  const { registry, access } = context;
  const { guard } = homeTab;

  function enqueue(origin: Origin, task: () => Promise<void>): boolean {
    return queue.tryEnqueue(async () => {
      await guard(origin, task);
    });
  }

  async function say(origin: Origin, text: string): Promise<void> {
    await guard(origin, () => reply.ephemeral(origin, { text, blocks: [section(text)] }));
  }

  async function enqueueOrSay(origin: Origin, task: () => Promise<void>): Promise<void> {
    if (!enqueue(origin, task)) await say(origin, busy);
  }

  /** Opens a form at once, whatever the queue holds: its trigger lives three seconds. */
  async function openForm(operation: Operation, invocation: Invocation, origin: Origin, trigger: string) {
    await guard(origin, async () => {
      const opener = operation.wizard ? forms.wizard : forms.plain;
      const opened = await opener.open(operation, invocation, origin, trigger);
      if (opened) await enqueueOrSay(origin, opened.fill);
    });
  }

  /** False only where it is known: what cannot be told now is told once the form is filled in. */
  async function isAdmitted({ slackUser }: Origin): Promise<boolean> {
    try {
      await access.admit(slackUser);
      return true;
    } catch (error) {
      return !(error instanceof Refusal);
    }
  }

  /** Nobody fills in a form only to be refused: a guest, who has no key for it, or lacks the scope, is told at once. */
  async function mayAsk(operation: Operation, origin: Origin): Promise<boolean> {
    if (!(await isAdmitted(origin))) return false;
    if (operation.api === "app") return true;
    // While the store does not answer the form opens, and says so.
    const links = await access.links(origin.member).catch(() => null);
    return links === null || may(links, operation);
  }

  async function offerForm(operation: Operation, invocation: Invocation, origin: Origin): Promise<void> {
    await reply.ephemeral(
      origin,
      offeredForm(operation, invocation, `\`/${operation.command}\` asks for more in a form.`),
    );
  }

  const dispatch: Dispatch = {
    enqueue,
    enqueueOrSay,
    say,
    invokeOneOf: (readings, origin) =>
      enqueue(origin, async () => {
        const meant = await whichNoun(readings, origin);
        // By now a trigger would be over.
        if (meant && !(await dispatch.invoke(meant, origin, null))) await say(origin, busy);
      }),
    async invoke(invocation, origin, trigger) {
      const operation = registry.find(invocation.command);
      const asks = operation && needsForm(operation, invocation) && (await mayAsk(operation, origin));
      if (!asks) {
        const placed = trigger === null ? origin : await homeTab.answering(invocation, origin, trigger);
        return enqueue(placed, () => invoke(invocation, placed));
      }
      if (trigger === null) return enqueue(origin, () => offerForm(operation, invocation, origin));
      await openForm(operation, invocation, origin, trigger);
      return true;
    },
  };
  return dispatch;
}

/** Whether a form must ask for more before it can be carried out: the one place that decides it. */
export function needsForm(operation: Operation, { target, several, input, faults, draft }: Invocation): boolean {
  if (faults || draft) return true;
  // A form is for one: what is missing for all that a filter leaves is said.
  if (several && "where" in several) return false;
  if (operation.target && target === undefined) return true;
  // Nothing is required, and yet nothing at all is not enough.
  if (Object.keys(input).length === 0 && "error" in operation.accept(input)) return true;
  return fieldsOf(operation.input).some(
    (field) => input[field.name] === undefined && (field.required || isSecret(field)),
  );
}
