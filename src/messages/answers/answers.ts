// messages/answers/: turns answers, refusals and errors into messages, and brings them back to the requester.

import type { Button } from "@slack/types";
import type { Answer, Fact, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { type Identity, identityWords } from "../../operation/identity.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { ownValue } from "../../process/own-value.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { actions, type Block, button, context, facts, type Message, section } from "../../views/blocks.ts";
import { code, prose } from "../../views/text.ts";
import {
  delegateAction,
  interruption,
  invocationButton,
  invokePrefix,
  leaveIt,
  outsideButton,
  stepButtons,
  withoutSecretInput,
} from "./buttons.ts";
import { cardActions } from "./card.ts";
import type { ErrorText } from "./error-text.ts";
import { filtersBlock } from "./menus.ts";
import type { Offer } from "./offer.ts";
import { answerPart } from "./parts.ts";

const shareAction = "invoke:share";

/** Names the project at the end of a line; empty without a project. */
export function projectWords(project: { name: PlainText } | null): string {
  return project ? ` · in project ${code(project.name)}` : "";
}

/** The message with `note`, or with a line about the project in which the member works. */
export function withProjectNote(message: Message, project: Actor["project"], note: string | null = null): Message {
  if (note !== null) return { text: message.text, blocks: [...message.blocks, context(note)] };
  if (!project) return message;
  const words = `You work in project ${code(project.name)}: what is in others is not seen. \`/project use all\` ends that.`;
  return { text: message.text, blocks: [...message.blocks, context(words)] };
}

/** The link to a page that asks for a passkey. `works`: how often and for how long, as the rest of a sentence. */
export function passkeyLinkMessage(text: string, url: string, works: string): Message {
  return {
    text,
    blocks: [
      section(text),
      ...actions(outsideButton("Open the page", url), "passkey"),
      context(`The link is for you alone. It works ${works}.`),
    ],
  };
}

/** Buttons of the steps that are offered, as blocks. */
export function stepBlocks(steps: Step[], offer: Offer, name: PlainText = ""): Block[] {
  return actions(stepButtons(steps, offer, name), "steps");
}

/** A row of a list with its own buttons. `id` tells its buttons apart from those of other rows. */
export function rowBlocks(text: string, id: string, steps: Step[], offer: Offer, name: PlainText = ""): Block[] {
  return [section(text), ...actions(stepButtons(steps, offer, name), `row:${id}`.slice(0, 250))];
}

/**
 * The answer for the requester alone: one message's worth, with buttons to the rest, and a share button if `shareLabel` is given. `page`:
 * the resource's address in the panel.
 */
export function privateAnswer(
  whole: Answer,
  {
    offer,
    name,
    invocation,
    shareLabel,
    page = null,
  }: { offer: Offer; name: PlainText; invocation: Invocation; shareLabel: string | null; page?: string | null },
): Message {
  const here = { ...invocation, replace: false, share: false };
  const sharing = shareLabel
    ? { label: shareLabel, group: "look" as const, invocation: { ...here, share: true } }
    : null;
  const { secrets = [], details } = whole;
  const revealing =
    secrets.length > 0 ? { label: "Reveal", group: "access" as const, invocation: { ...here, reveal: true } } : null;
  if (details && !invocation.details) {
    const menu = [revealing, sharing].filter((entry) => entry !== null);
    const buttons = cardActions(
      (whole.next ?? []).filter(({ turn }) => !turn),
      offer,
      { name, details: here, menu },
    );
    return { text: whole.text, blocks: [...(whole.blocks ?? []), ...buttons] };
  }
  const { answer, turns } = answerPart(details ? withDetails(whole, details) : whole, invocation);
  const steps = stepButtons(answer.next ?? [], offer, name);
  const share = details ? null : sharing;
  return {
    text: answer.text,
    blocks: [
      ...(answer.blocks ?? [section(answer.text)]),
      ...actions(
        [
          ...turns,
          ...(revealing ? entryButton(revealing, `${invokePrefix}reveal`) : []),
          ...steps,
          ...(page ? outsideButton("Open in panel", page) : []),
          ...(share ? entryButton(share, shareAction) : []),
        ],
        "steps",
      ),
    ],
  };
}

function entryButton({ label, invocation }: { label: string; invocation: Invocation }, actionId: string): Button[] {
  return invocationButton(label, actionId, invocation, { operation: undefined });
}

/** The whole answer without the acts, which its card offers. The pages of a long one turn in the same modal. */
function withDetails(whole: Answer, details: Block[]): Answer {
  const next = whole.next?.filter(({ turn }) => turn).map((step) => ({ ...step, details: true as const }));
  return { ...whole, blocks: [...(whole.blocks ?? []), ...details], ...(next ? { next } : {}) };
}

/** The answer for a channel; `lead` names the member first. */
export function openAnswer(lead: string, answer: Pick<Answer, "text" | "blocks">, steps: Block[]): Message {
  const text = `${lead} ${answer.text}`;
  // A press on a filter would change the message for everybody.
  const blocks = answer.blocks?.filter(({ block_id: id }) => id !== filtersBlock) ?? [];
  // The blocks repeat the text, so that only the lead is added.
  return { text, blocks: [section(blocks.length > 0 ? lead : text), ...blocks, ...steps] };
}

/** Buttons after an error: the form to correct the input, and the way to ask a colleague. */
export interface ErrorActions {
  correct: Invocation | null;
  delegate: Invocation | null;
}

export function errorAnswer(error: ErrorText, offer: Offer, { correct: correction, delegate }: ErrorActions): Message {
  const text = `:warning: ${error.text}`;
  const steps = stepButtons(error.next, offer);
  const correct = correction
    ? invocationButton("Correct it…", `${invokePrefix}correct`, correction, { operation: undefined, style: "primary" })
    : [];
  const ask = delegate
    ? invocationButton("Ask someone who can…", delegateAction, delegate, { operation: undefined })
    : [];
  return { text, blocks: [section(text), ...actions([...correct, ...ask, ...steps], "steps")] };
}

/** One of several commands or resources. */
export interface OfferedReading {
  label: PlainText;
  operation: Operation;
  invocation: Invocation;
}

/**
 * Asks which command or resource is meant, with a button for each. A press on one that interrupts a service asks in a message: its label
 * alone would not say which of two machines with one name it is.
 */
export function choiceMessage(text: string, picks: OfferedReading[]): Message {
  const buttons = picks
    .slice(0, 10)
    .flatMap(({ label, operation, invocation }, at) =>
      invocationButton(
        label,
        `invoke:pick:${at}`,
        { ...withoutSecretInput(operation, invocation), replace: true, typed: true },
        { operation: undefined },
      ),
    );
  const left = picks.length - buttons.length;
  const more = left > 0 ? [context(`${left} more: give an address or the beginning of an id.`)] : [];
  return { text, blocks: [section(text), ...actions(buttons, "pick"), ...more] };
}

/** Action id of the button that removes a private question. */
export const dismissAction = "dismiss";

/** Asks the requester before an act interrupts a service. One press runs it with all that was typed. */
export function interruptionMessage(
  {
    verb,
    name,
    when = null,
    identity = null,
  }: { verb: PlainText; name: PlainText; when?: ScheduledFor | null; identity?: Identity | null },
  invocation: Invocation,
  consequence: string,
  described: readonly Fact[],
): Message {
  const act = when ? `Schedule for ${when.at}` : interruption({ verb }, name);
  const titled = name ? `${prose(verb)} ${code(name)}` : prose(verb);
  const question = when ? `Schedule ${nounOf(verb, name)} for ${when.at}?` : `${titled}?`;
  const text = [question, consequence, when?.said ?? ""].join(" ").trimEnd();
  const go = invocationButton(
    act,
    `${invokePrefix}confirmed`,
    { ...invocation, confirmed: true, replace: true },
    { operation: undefined, style: when ? "primary" : "danger" },
  );
  const again = go.length > 0 ? [] : [context("This is too long for a button: type it again with `force=yes`.")];
  return {
    text,
    blocks: [
      section(identity ? `${text}\n${identityWords(identity, name)}` : text),
      ...facts([...described]),
      ...again,
      ...actions([...go, button(leaveIt, dismissAction, "")], "question"),
    ],
  };
}

/** A scheduled time in the reader's zone, and a sentence that makes it clear. */
export interface ScheduledFor {
  at: string;
  said: string;
}

/** Nouns for the verbs of acts that interrupt a service. */
const nouns: Record<string, string> = {
  Reboot: "reboot",
  Restart: "restart",
  Reset: "reset",
  Stop: "stop",
  Start: "start",
  "Shut down": "shutdown",
  Suspend: "suspension",
  "Switch off": "switch-off",
  "Force off": "forced stop",
  "Force stop": "forced stop",
};

/** "the reboot of `web-1`"; an act that has no noun is named as it is. */
function nounOf(verb: PlainText, name: PlainText): string {
  const noun = ownValue(nouns, characters(verb));
  const of = name ? ` of ${code(name)}` : "";
  return noun === undefined ? `“${prose(verb)}”${of}` : `the ${noun}${of}`;
}

/** Offers a button when Slack lets no form open any more: a press allows it again. */
export function lateForm(operation: Operation, invocation: Invocation): Message {
  return offeredForm(operation, invocation, "Slack did not let me open the form in time.");
}

/** Offers the form of a command that came without a trigger, such as a mention. */
export function formFor(operation: Operation, invocation: Invocation): Message {
  return offeredForm(operation, invocation, `\`/${operation.command}\` asks for more in a form.`);
}

/** The button that opens a form when nothing else can, with the reason. */
function offeredForm(operation: Operation, invocation: Invocation, why: string): Message {
  const open = withoutSecretInput(operation, invocation);
  const again = invocationButton(operation.phrase, `${invokePrefix}${operation.command}`, open, {
    operation: undefined,
    style: "primary",
  });
  const way = again.length > 0 ? "Press to open it." : "Type the command again.";
  const text = `${why} ${way}`;
  return { text, blocks: [section(text), ...actions(again)] };
}
