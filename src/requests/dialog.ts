import type { ConfirmationDialog } from "@slack/types";
import { unshownValues, valueSentences } from "../messages/answers/values.ts";
import { identityFacts } from "../operation/identity.ts";
import { characters } from "../process/plain-text.ts";
import { confirmation } from "../views/blocks.ts";
import { utc } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { clip, code, oneLine, unmarked } from "../views/text.ts";
import { backupWords } from "./facets/backup-first/record.ts";
import { backWords, confirmWords, questionWords } from "./labels.ts";
import { isForRequesterAlone, type Request, shownIdentity } from "./request.ts";

/** Slack's confirmation dialog. It names the resource and the loss, and each of its buttons makes sense alone. */
export function confirmationDialog(request: Request, copy: Request["backupFirst"] = null): ConfirmationDialog {
  const name = characters(request.target ? oneLine(request.target.name) : "");
  const loss = request.review.loss.map((sentence) => unmarked(sentence));
  const shown = request.target ? unmarked(code(request.target.name)) : "";
  const isNamed = loss.some((sentence) => sentence.includes(name) || sentence.includes(shown));
  const [first = "", ...others] = loss;
  const identity = shownIdentity(request);
  // A list or a busy channel shows several machines of one name.
  const facts = identity ? identityFacts(identity) : [];
  const personal = isForRequesterAlone(request) ? request.review.personal : [];
  const backup = copy ? [backupWords(copy, request)] : [];
  const title = questionWords(request, copy);
  const opening = [
    ...[isNamed ? first : `${clip(name, 80)}: ${first}`, ...others],
    ...backup.map((words) => unmarked(words)),
    ...[...secondWords(request), ...scheduleWords(request)],
    ...[...personal, ...facts].map((fact) => valueSentences([fact])),
  ];
  const marked = [...request.review.loss, ...backup, ...[...personal, ...facts].map(({ value }) => value)];
  const values = valueSentences(unshownValues(request.review, marked));
  return confirmation({
    title,
    text: wholeSentences([...opening, values], limits.confirm.text, {
      name,
      isTitled: characters(title).includes(name),
    }),
    confirm: confirmWords(request, copy),
    deny: backWords(request, limits.confirm.deny),
    style: buttonStyle(request),
  });
}

/** True if the dialog has no room for everything, and points at the details. */
export function isCutShort(request: Request): boolean {
  return confirmationDialog(request).text.text.includes(seeDetails);
}

/** A name that the dialog has whole already is shortened to this. */
const mostOfName = 20;

/**
 * The first sentences that fit: a loss or a value that is cut would mislead. If any is left out, the text points at the details. A long
 * name that stands whole in the title, or earlier in the text, leaves its room to the loss.
 */
export function wholeSentences(
  all: readonly string[],
  room: number,
  { name, isTitled }: { name: string; isTitled: boolean } = { name: "", isTitled: true },
): string {
  const [first = "", ...others] = shortened(all, room, { name, isTitled });
  const text = [first, ...others].join(" ");
  if (text.length <= room) return text;
  const kept: string[] = [];
  let left = room - seeDetails.length;
  for (const sentence of [...first.split(/(?<=[.!?]) (?=\p{Lu})/u), ...others]) {
    if (sentence.length + 1 > left) break;
    kept.push(sentence);
    left -= sentence.length + 1;
  }
  return [...(kept.length > 0 ? kept : [clip(first, left - 1)]), seeDetails].join(" ");
}

/** The sentences with the name shortened where they have no room for it. */
function shortened(
  all: readonly string[],
  room: number,
  { name, isTitled }: { name: string; isTitled: boolean },
): string[] {
  const sentences = all.filter((sentence) => sentence !== "");
  if (name === "" || sentences.join(" ").length <= room) return sentences;
  let isWhole = isTitled;
  return sentences.map((sentence) => {
    const [before = "", ...later] = sentence.split(name);
    return later.reduce((text, part) => {
      const shown = isWhole ? clip(name, mostOfName) : name;
      isWhole = true;
      return `${text}${shown}${part}`;
    }, before);
  });
}

function secondWords({ repeats }: Request): string[] {
  return repeats.length > 0 ? ["The same order was placed minutes ago. This orders a second one."] : [];
}

/** Replaces what does not fit into the dialog. */
const seeDetails = "See Details for the rest.";

/** A press decides now, and the act runs later. The presser's time zone is unknown here, so the time is in UTC. */
function scheduleWords({ schedule }: Request): string[] {
  return schedule ? [`This runs at ${utc(schedule.at)}, not now.`] : [];
}

/** Red marks a press that destroys something, now or at its time, and one that changes something at once. */
export function buttonStyle({ risk, schedule }: Pick<Request, "risk" | "schedule">): "danger" | "primary" {
  return risk === "destroy" || (risk === "change" && !schedule) ? "danger" : "primary";
}
