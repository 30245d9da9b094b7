import type { KnownBlock } from "@slack/types";
import * as z from "#zod";
import { Origin } from "../messages/origin.ts";
import { InputError } from "../operation/errors.ts";
import { looksSecret } from "../operation/reason.ts";
import { readScheduledTime } from "../operation/schedule-input.ts";
import { Manner } from "../passkeys/links.ts";
import { protectionLine } from "../policy/protection/protection.ts";
import { readJson } from "../process/json.ts";
import { characters, PlainText, plainly } from "../process/plain-text.ts";
import { askedBecause } from "../requests/facets/agent/view.ts";
import type { CountModalValue } from "../requests/facets/bulk/view.ts";
import type { Narrowable } from "../requests/facets/narrow/steps.ts";
import { isItsName, wrongName } from "../requests/facets/protection/steps.ts";
import { submitWords } from "../requests/labels.ts";
import { decisionNoun, identityLine, lossAfterTitle, type Request, titleOf } from "../requests/request.ts";
import { ShownFacts, shownFacts, shownWords } from "../requests/shown-facts.ts";
import { type Block, context, paragraphs, plain, section, type View } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { lowerFirst, oneLine, prose } from "../views/text.ts";
import { actedBy, onlyValue, type ShownView } from "./payloads.ts";

/** A value that the modal refuses, in words. `at`: the block below which they are; the modal's first by default. */
export interface RefusedValue {
  wrong: string;
  at: string;
}

function refused(wrong: string, at = ""): RefusedValue {
  return { wrong, at };
}

/** A modal that asks about a request. `metadata` comes back with its answer. */
function questionModal(
  { callback, title, submit }: { callback: string; title: string; submit: PlainText },
  metadata: object,
  blocks: View["blocks"],
): View {
  return {
    type: "modal",
    callback_id: callback,
    private_metadata: JSON.stringify(metadata),
    title: plain(title, limits.view.title),
    submit: plain(submit, limits.view.submit),
    close: plain("Not now", limits.view.close),
    blocks,
  };
}

/** `initial`: milliseconds since the epoch. */
function timeInput(
  label: string,
  hint: string,
  { optional = false, initial }: { optional?: boolean; initial?: number | undefined } = {},
): KnownBlock {
  return {
    type: "input",
    block_id: whenBlock,
    ...(optional ? { optional } : {}),
    label: plain(label, limits.input.label),
    hint: plain(hint, limits.input.hint),
    element: {
      type: "datetimepicker",
      action_id: "value",
      ...(initial === undefined ? {} : { initial_date_time: Math.floor(initial / 1000) }),
    },
  };
}

export const countCallback = "count";
const countBlock = "count";

const CountMetadata = z.object({ request: z.string(), count: z.number(), shown: ShownFacts, origin: Origin });

/** A modal that asks for the number of machines. Typing it proves that the member has read it, and did not press by mistake. */
export function countView({ request, count, press, submit, loss, at, shown }: CountModalValue, origin: Origin): View {
  return questionModal(
    { callback: countCallback, title: "How many?", submit },
    { request, count, shown, origin } satisfies z.input<typeof CountMetadata>,
    [
      section(`:warning: *${prose(press)}${at === null ? "" : ` ${moment(at)}`}?*\n${loss}`),
      {
        type: "input",
        block_id: countBlock,
        label: plain(plainly`Type ${count} to ${at === null ? lowerFirst(press) : "schedule it"}`, limits.input.label),
        element: { type: "plain_text_input", action_id: "value", max_length: 20 },
      },
    ],
  );
}

/** The request to confirm, or an error sentence for a wrong number; null if the modal is not ours. */
export function readCount(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = CountMetadata.safeParse(readJson(view.private_metadata)).data;
  if (!metadata) return null;
  const typed = onlyValue(view, countBlock)?.value ?? "";
  const digits = typed.replaceAll(/[\s,.']/g, "");
  if (digits === String(metadata.count)) return actedBy(metadata, view.by);
  return refused(`Type the number ${metadata.count}. Nothing was done.`);
}

export const nameCallback = "protected-name";
const nameBlock = "name";

const NameMetadata = z.object({
  request: z.string(),
  name: PlainText,
  manner: Manner,
  shown: ShownFacts,
  origin: Origin,
});

/** A modal that asks for the name of a protected resource. `manner`: how the press decides beside that. */
export function nameView(
  { request, name }: { request: Request; name: PlainText },
  manner: Manner,
  origin: Origin,
): View {
  const { id, review, protection } = request;
  const shown = shownFacts(request);
  return questionModal(
    { callback: nameCallback, title: "It is protected", submit: submitWords(request, manner) },
    { request: id, name, manner, shown, origin } satisfies z.input<typeof NameMetadata>,
    [
      ...paragraphs(
        [
          `:warning: *${prose(review.press)}?*`,
          review.loss.join(" "),
          ...shownWords(request, manner),
          identityLine(request),
        ].filter((line) => line !== ""),
      ),
      ...(protection ? [context(protectionLine(protection))] : []),
      nameInput(name),
    ],
  );
}

function nameInput(name: PlainText): KnownBlock {
  return {
    type: "input",
    block_id: nameBlock,
    label: plain(plainly`Type its name: ${oneLine(name)}`, limits.input.label),
    element: { type: "plain_text_input", action_id: "value", max_length: 300 },
  };
}

/** An error below a field has no markup. */
function wrongNameHere(name: PlainText): string {
  return wrongName(`“${characters(oneLine(name))}”`);
}

/** The name that was typed, with its request, or an error sentence for another one; null if the modal is not ours. */
export function readName(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = NameMetadata.safeParse(readJson(view.private_metadata)).data;
  if (!metadata) return null;
  const named = onlyValue(view, nameBlock)?.value ?? "";
  if (!isItsName(metadata, named)) return refused(wrongNameHere(metadata.name));
  return { ...actedBy(metadata, view.by), manner: { ...metadata.manner, named } };
}

export const whenCallback = "when";
const whenBlock = "when";

const TimeMetadata = z.object({ request: z.string(), origin: Origin });

/** A modal that asks for the time at which a request shall run. */
export function whenView(
  request: Pick<Request, "id" | "verb" | "target" | "command" | "schedule" | "state" | "mode" | "ruling">,
  origin: Origin,
): View {
  const { id, schedule, state, mode, ruling } = request;
  const decision = decisionNoun(request);
  const anew = `Each ${decision} is for the old time. With a new time, the request needs a new ${decision} before it runs.`;
  return questionModal(
    {
      callback: whenCallback,
      title: schedule ? "Reschedule it" : "Do it later",
      submit: schedule ? "Reschedule" : "Schedule",
    },
    { request: id, origin } satisfies z.input<typeof TimeMetadata>,
    [
      section(`*${titleOf(request)}*`),
      timeInput("When?", "In your time zone, at most 30 days ahead.", { initial: schedule?.at }),
      ...(mode === "peer" || (ruling.passkey && state === "scheduled") ? [context(anew)] : []),
    ],
  );
}

export const againCallback = "again";

/** A modal that asks for the time of a request for the same, after the time of the first had passed before it began. */
export function againView(request: Pick<Request, "id" | "verb" | "target" | "command">, origin: Origin): View {
  return questionModal(
    { callback: againCallback, title: "Ask again", submit: "Ask again" },
    { request: request.id, origin } satisfies z.input<typeof TimeMetadata>,
    [
      section(`*${titleOf(request)}*\nThe time of this request has passed, and it did not begin.`),
      timeInput("When?", "In your time zone, at most 30 days ahead. Empty: now, or as soon as it is decided.", {
        optional: true,
      }),
    ],
  );
}

/** The time that was picked in it, as of `readPickedTime`; `at` is null if none was. */
export function readTimeAgain(view: Pick<ShownView, "private_metadata" | "state" | "by">, now: number) {
  const metadata = TimeMetadata.safeParse(readJson(view.private_metadata)).data;
  return metadata && pickedSeconds(view) === null
    ? { ...actedBy(metadata, view.by), at: null }
    : readPickedTime(view, now);
}

function pickedSeconds(view: Pick<ShownView, "state">): number | null {
  return onlyValue(view, whenBlock)?.selected_date_time ?? null;
}

export const deferCallback = "defer";

/** The request that a modal is about, with its loss. */
function askedBlocks(request: Request): Block[] {
  const lines = [`*${titleOf(request)}* · ${askedBecause(request)}`, lossAfterTitle(request)];
  return paragraphs(lines.filter((line) => line !== ""));
}

/** A modal that asks until when a request is deferred, and for the reason. `request` is null if storage was too slow to name it. */
export function deferView({ id, request }: { id: string; request: Request | null }, origin: Origin): View {
  return questionModal(
    { callback: deferCallback, title: "Defer the request", submit: "Defer" },
    { request: id, origin } satisfies z.input<typeof TimeMetadata>,
    [
      ...(request ? askedBlocks(request) : []),
      timeInput("Until when?", "In your time zone. Its facts are read again then, and all who decide are notified."),
      reasonInput("The requester, and everybody who sees the request, reads it."),
    ],
  );
}

/** The same, with the reason. */
export function readDeferral(view: Pick<ShownView, "private_metadata" | "state" | "by">, now: number) {
  const picked = readPickedTime(view, now);
  if (picked === null || "wrong" in picked) return picked;
  const given = reasonIn(view);
  return "wrong" in given ? refused(given.wrong, reasonBlock) : { ...picked, reason: given.reason };
}

export const narrowCallback = "narrow";
const narrowBlock = "narrow";

/** A modal that asks for the targets or products that stay in a request, or for its lower amount, and for the reason. */
export function narrowView({ request, choices }: Narrowable, origin: Origin): View {
  const amount = choices.length > 1 ? null : (request.form?.amount ?? null);
  const options = choices.map(({ id, name }) => ({ text: plain(name, limits.option.text), value: id }));
  const anew = "A new request takes the place of this one. Approvals so far do not count for it.";
  const asks = "Only the requester confirms a price: this request ends, and they can ask for less.";
  return questionModal(
    { callback: narrowCallback, title: "Narrow the request", submit: "Narrow" },
    { request: request.id, origin } satisfies z.input<typeof TimeMetadata>,
    [
      ...askedBlocks(request),
      {
        type: "input",
        block_id: narrowBlock,
        label: plain(amount ? amount.label : "These stay in it", limits.input.label),
        element: amount
          ? {
              type: "number_input",
              action_id: "value",
              is_decimal_allowed: false,
              min_value: String(amount.least),
              max_value: String(amount.value - 1),
            }
          : { type: "multi_static_select", action_id: "value", options, initial_options: options },
      },
      reasonInput("The requester, and everybody who sees the request, reads it."),
      context(request.price === null || request.requester.member === origin.member ? anew : asks),
    ],
  );
}

/** The targets that stay, or the lower amount, with the request; or an error sentence. Null if the modal is not ours. */
export function readNarrower(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = TimeMetadata.safeParse(readJson(view.private_metadata));
  if (!metadata.success) return null;
  const given = reasonIn(view);
  if ("wrong" in given) return refused(given.wrong, reasonBlock);
  const chosen = onlyValue(view, narrowBlock);
  const stay = chosen?.selected_options?.map(({ value }) => value) ?? [];
  const amount = chosen?.value === undefined || chosen.value === null ? null : Number(chosen.value);
  return { ...actedBy(metadata.data, view.by), ...given, stay, amount };
}

/** The picked time (milliseconds since the epoch) and its request, or an error sentence; null if the modal is not ours. */
export function readPickedTime(view: Pick<ShownView, "private_metadata" | "state" | "by">, now: number) {
  const metadata = TimeMetadata.safeParse(readJson(view.private_metadata));
  const seconds = pickedSeconds(view);
  if (!metadata.success) return null;
  if (seconds === null) return refused("Pick a date and a time.");
  try {
    readScheduledTime({ at: new Date(seconds * 1000).toISOString() }, { now, zone: "UTC" });
  } catch (error) {
    if (error instanceof InputError) return refused(error.message);
    throw error;
  }
  return { ...actedBy(metadata.data, view.by), at: seconds * 1000 };
}

export const reasonCallback = "reason";

/** The acts that need a reason: denying a request, and the emergency override. */
const reasonKinds = ["deny", "override"] as const;
export type ReasonKind = (typeof reasonKinds)[number];

const ReasonMetadata = z.object({
  kind: z.enum(reasonKinds),
  request: z.string(),
  origin: Origin,
  /** The name of a protected resource, which the same modal asks for. */
  name: PlainText.nullable(),
  /** Null of a denial whose request storage was too slow to name: its button has the id alone. */
  shown: ShownFacts.nullable(),
});
const reasonBlock = "reason";
const mostReason = 500;

const reasonWords: Record<ReasonKind, { title: string; submit: string; hint: string }> = {
  deny: { title: "Deny the request", submit: "Deny", hint: "Everybody who sees the request reads it." },
  override: {
    title: "Run without approval",
    submit: "Run it now",
    hint: "It runs at once when you send this. The channel sees it, the audit log keeps it, and another admin must review it.",
  },
};

/**
 * A modal that asks for a reason, which is shown with the outcome and stored. `request` is null if storage was too slow to name it: then the
 * member has read the facts of the button alone, `shown`.
 */
export function reasonView(
  kind: ReasonKind,
  {
    id,
    request,
    name,
    shown,
  }: { id: string; request: Request | null; name: PlainText | null; shown: ShownFacts | null },
  origin: Origin,
): View {
  const { title, submit, hint } = reasonWords[kind];
  const metadata = { kind, request: id, origin, name, shown: request ? shownFacts(request) : shown };
  return questionModal({ callback: reasonCallback, title, submit }, metadata satisfies z.input<typeof ReasonMetadata>, [
    ...(request ? askedBlocks(request) : []),
    reasonInput(hint),
    ...(name === null ? [] : [nameInput(name)]),
  ]);
}

function reasonInput(hint: string) {
  return {
    type: "input" as const,
    block_id: reasonBlock,
    label: plain("Why?", limits.input.label),
    hint: plain(hint, limits.input.hint),
    element: {
      type: "plain_text_input" as const,
      action_id: "value",
      multiline: true,
      min_length: 2,
      max_length: mostReason,
    },
  };
}

function reasonIn(view: Pick<ShownView, "state">): { reason: string } | { wrong: string } {
  const reason = onlyValue(view, reasonBlock)?.value?.trim() ?? "";
  if (reason === "") return { wrong: "Say why." };
  if (looksSecret(reason)) return { wrong: "That looks like a key, and everybody would read it here. Revoke it." };
  return { reason: reason.slice(0, mostReason) };
}

/** The reason and its request, or an error sentence; null if the modal is not ours. */
export function readReason(view: Pick<ShownView, "private_metadata" | "state" | "by">) {
  const metadata = ReasonMetadata.safeParse(readJson(view.private_metadata));
  if (!metadata.success) return null;
  const given = reasonIn(view);
  if ("wrong" in given) return refused(given.wrong);
  const { name } = metadata.data;
  const named = onlyValue(view, nameBlock)?.value;
  if (name !== null && !isItsName({ name }, named ?? "")) return refused(wrongNameHere(name), nameBlock);
  return { ...actedBy(metadata.data, view.by), ...given, named: named ?? undefined };
}
