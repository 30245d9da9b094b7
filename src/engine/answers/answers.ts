// engine/answers/: how an answer, a refusal or an error becomes a message and finds its way back to who asked.
// May import: engine/, engine/*, operation/, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/asking.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { actions, type Block, button, context, type Message, section } from "../../views/blocks.ts";
import { code } from "../../views/text.ts";
import {
  handOverAction,
  interruption,
  invocationButton,
  invokePrefix,
  leaveIt,
  outsideButton,
  stepButtons,
} from "./buttons.ts";
import type { ErrorText } from "./error-text.ts";
import { filtersBlock } from "./menus.ts";
import type { Offer } from "./offer.ts";
import { partOf } from "./parts.ts";

const shareAction = "invoke:share";

/** The end of a line that says who did what, where they work in a project. */
export function projectWords(project: Actor["project"]): string {
  return project ? ` · in project ${code(project.name)}` : "";
}

/** A sentence as a message. */
export function noticeMessage(text: string): Message {
  return { text, blocks: [section(text)] };
}

/** The answer, and that it is narrowed to a project where it is. `note`: what else is said of where it was looked. */
export function narrowedAnswer(message: Message, project: Actor["project"], note: string | null = null): Message {
  if (note !== null) return { text: message.text, blocks: [...message.blocks, context(note)] };
  if (!project) return message;
  const words = `You work in project ${code(project.name)}: what is in others is not seen. \`/project use all\` ends that.`;
  return { text: message.text, blocks: [...message.blocks, context(words)] };
}

/** Buttons of the steps that are offered, as blocks. */
export function stepBlocks(steps: Step[], offer: Offer, name = ""): Block[] {
  return actions(stepButtons(steps, offer, name), "steps");
}

/** What only the asker sees: as much as a message holds, with the ways to the rest of it, and to show it to all where it was asked, if there is a label for that. `page`: what it is about, in the panel. */
export function privateAnswer(
  whole: Answer,
  {
    offer,
    name,
    invocation,
    shareLabel,
    page = null,
  }: { offer: Offer; name: string; invocation: Invocation; shareLabel: string | null; page?: string | null },
): Message {
  const { answer, turns } = partOf(whole, invocation);
  const steps = stepButtons(answer.next ?? [], offer, name);
  const sharing = shareLabel
    ? invocationButton(
        shareLabel,
        shareAction,
        { ...invocation, replace: false, share: true },
        { operation: undefined },
      )
    : [];
  return {
    text: answer.text,
    blocks: [
      ...(answer.blocks ?? [section(answer.text)]),
      ...actions([...turns, ...steps, ...(page ? outsideButton("Open in panel", page) : []), ...sharing], "steps"),
    ],
  };
}

/** What a channel sees of something that a member did: who first. */
export function openAnswer(lead: string, answer: Pick<Answer, "text" | "blocks">, steps: Block[]): Message {
  const text = `${lead} ${answer.text}`;
  // A filter would change the message under the eyes of all.
  const blocks = answer.blocks?.filter(({ block_id: id }) => id !== filtersBlock) ?? [];
  // Its blocks begin with what its text says.
  return { text, blocks: [section(blocks.length > 0 ? lead : text), ...blocks, ...steps] };
}

/** The ways on from what went wrong: the form to put it right in, and others who could do it. */
export interface WaysOn {
  correct: Invocation | null;
  handOver: Invocation | null;
}

export function errorAnswer(error: ErrorText, offer: Offer, { correct: correction, handOver }: WaysOn): Message {
  const text = `:warning: ${error.text}`;
  const steps = stepButtons(error.next, offer);
  const correct = correction
    ? invocationButton("Correct it…", `${invokePrefix}correct`, correction, { operation: undefined, style: "primary" })
    : [];
  const ask = handOver
    ? invocationButton("Ask someone who can…", handOverAction, handOver, { operation: undefined })
    : [];
  return { text, blocks: [section(text), ...actions([...correct, ...ask, ...steps], "steps")] };
}

/** The question which one is meant, with a button for each; without the operation none of them asks first. */
export function pickerMessage(
  operation: Operation | undefined,
  text: string,
  candidates: { id: string; label: string }[],
  picked: (id: string) => Invocation,
): Message {
  const picks = candidates.map(({ id, label }) => ({ label, operation, invocation: picked(id) }));
  return choiceMessage(text, picks);
}

/** The question which of several commands is meant, with a button for each. */
export function choiceMessage(
  text: string,
  picks: { label: string; operation: Operation | undefined; invocation: Invocation }[],
): Message {
  const buttons = picks
    .slice(0, 10)
    .flatMap(({ label, operation, invocation }, at) =>
      invocationButton(label, `invoke:pick:${at}`, { ...invocation, replace: true }, { operation, name: label }),
    );
  const left = picks.length - buttons.length;
  const more = left > 0 ? [context(`${left} more: give an address or the beginning of an id.`)] : [];
  return { text, blocks: [section(text), ...actions(buttons, "pick"), ...more] };
}

/** The button that takes a question of the caller's own away. */
export const dismissAction = "dismiss";

/** Asks the caller alone before a service is interrupted: one press, with all that was said already in it. */
export function interruptionMessage(
  { verb, name }: { verb: string; name: string },
  invocation: Invocation,
  consequence: string,
): Message {
  const act = interruption({ verb }, name);
  const text = `${name ? `${verb} ${code(name)}` : verb}? ${consequence}`;
  const go = invocationButton(
    act,
    `${invokePrefix}confirmed`,
    { ...invocation, confirmed: true, replace: true },
    { operation: undefined, style: "danger" },
  );
  const again = go.length > 0 ? [] : [context("This is too long for a button: type it again with `force=yes`.")];
  return {
    text,
    blocks: [section(text), ...again, ...actions([...go, button(leaveIt, dismissAction, "")], "question")],
  };
}

/** Slack let no form open any more: the press of a button lets it. */
export function lateForm(operation: Operation, invocation: Invocation): Message {
  return offeredForm(operation, invocation, "Slack did not let me open the form in time.");
}

/** The button that opens a form, where nothing else can: with what is needed, or why it did not open. */
export function offeredForm(operation: Operation, invocation: Invocation, why: string): Message {
  const again = invocationButton(operation.verb, `${invokePrefix}${operation.command}`, invocation, {
    operation: undefined,
    style: "primary",
  });
  const way = again.length > 0 ? "Press to open it." : "Type the command again.";
  const text = `${why} ${way}`;
  return { text, blocks: [section(text), ...actions(again)] };
}
