import { clockTime } from "../operation/schedule-input.ts";
import { characters, type PlainText } from "../process/plain-text.ts";
import { money } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { lowerFirst, oneLine, unmarked } from "../views/text.ts";
import type { BackupFirst } from "./facets/backup-first/record.ts";
import { chosenBackup, isForRequesterAlone, type Request } from "./request.ts";

/** The parts of a request that its labels need. */
type Labelled = Pick<Request, "api" | "target" | "price" | "review">;

/** The words of each API's cards for a price to which tax is added: a button says the same. */
const taxWords = { customer: "before tax", reseller: "excl. VAT" } as const satisfies Record<Request["api"], string>;

/** The ellipsis of a button that leads to a form or a page. */
const ellipsis = 1;
/** A page in the browser shows a label of any length. */
const ofPage = 1_000;

const scheduleIt = "Schedule it";

/**
 * The label of the deciding button. A schedule never looks like an act at once; only a single reader's time zone is known, so only they see
 * the time.
 */
export function pressWords(request: Request): PlainText {
  const room = limits.button.text - ellipsis;
  const { schedule, createdAt } = request;
  const [first] = chosenBackup(request);
  if (!schedule && first)
    return fitting(
      room,
      withPrice(request, "").map((act) => afterBackup(first, act)),
    );
  if (!schedule) return actWords(request, room);
  return isForRequesterAlone(request) ? `Schedule for ${clockTime(schedule.at, schedule.zone, createdAt)}` : scheduleIt;
}

/** "Back up first, then cancel web-1". */
function afterBackup({ label }: BackupFirst, act: string): string {
  return `${label}, then ${lowerFirst(act)}`;
}

/** The act with its price, as long as it fits. Names go first, then the object; the price stays whole. */
export function actWords(request: Labelled, room = ofPage): PlainText {
  return fitting(room, withPrice(request, ""));
}

/** The question of the dialog. A long name stays whole there, since the dialog's text and button have the price, too. */
export function questionWords(request: Request, copy: BackupFirst | null): PlainText {
  const { schedule, createdAt, review } = request;
  const time = schedule && isForRequesterAlone(request) ? clockTime(schedule.at, schedule.zone, createdAt) : null;
  const when = time === null ? "" : time.includes(",") ? ` on ${time}` : ` today at ${time}`;
  const asked = (act: string) => {
    if (copy) return `${afterBackup(copy, act)}${when}?`;
    return schedule && time === null ? `Schedule: ${lowerFirst(act)}?` : `${act}${when}?`;
  };
  const [whole = "", ...shorter] = withPrice(request, "").map(asked);
  return fitting(limits.confirm.title, [whole, asked(characters(review.press)), ...shorter]);
}

/** The label of a modal's button that decides: it is the last one before the act. */
export function submitWords(
  request: Request,
  { withBackup = false }: { withBackup?: boolean | undefined } = {},
): PlainText {
  const copy = withBackup ? request.backupFirst : chosenBackup(request)[0];
  return confirmWords(request, copy ?? null, limits.view.submit);
}

/** The label of the dialog's button that decides. */
export function confirmWords(
  request: Request,
  copy: BackupFirst | null,
  room: number = limits.confirm.confirm,
): PlainText {
  if (copy) {
    const both = withPrice(request, "").map((act) => afterBackup(copy, act));
    // A price alone behind the backup would look like the backup's own.
    const isPriced = ends(request).some((end) => end !== "");
    return fitting(room, [...both, ...(isPriced ? withPrice(request, "Yes, ") : [`Yes, ${lowerFirst(copy.label)}`])]);
  }
  if (request.schedule) return `Yes, ${lowerFirst(scheduleIt)}`;
  return fitting(room, withPrice(request, "Yes, "));
}

/** The label of the button that leaves everything as it is. "It" replaces a long name. */
export function backWords({ target, review }: Labelled, room: number): PlainText {
  const back = characters(review.back);
  const [verb = "", ...others] = back.split(" ");
  const rest = others.join(" ");
  const name = characters(oneLine(target?.name ?? ""));
  const without = rest.startsWith(name) ? `it${rest.slice(name.length)}` : withoutNames(rest, [name]);
  return fitting(room, [back, `${verb} ${without}`, "Not now"]);
}

/** All forms of the act with its price, from the longest to the shortest. */
function withPrice(request: Labelled, lead: string): string[] {
  const [long = "", ...short] = ends(request);
  return actForms(request).flatMap((act) => [
    ...(lead === "" ? [] : [`${lead}${lowerFirst(act)}${long}`]),
    ...[long, ...short].map((end) => `${act}${end}`),
  ]);
}

/** The price behind an act, as two forms; nothing if it costs nothing, or the platform names no price. */
function ends({ api, price, review }: Pick<Labelled, "api" | "price" | "review">): string[] {
  const { rate } = review;
  if (price === null || price === "unknown")
    return rate === null ? [""] : [` for ${rate}, ${taxWords[api]}`, `: ${rate}`];
  const amount = money(price.amount, price.currency);
  if (characters(review.press).endsWith(amount)) return [` ${amount}`];
  if (!price.beforeTax) return [` for ${amount}`, `: ${amount}`];
  return [` for ${amount} ${taxWords[api]}`, `: ${amount} ${taxWords[api]}`, `: ${amount} + tax`];
}

/** The act whole, without the name of its target, without any name, and as its verb alone. */
function actForms({ target, price, review }: Labelled): string[] {
  const press = characters(review.press);
  const amount = price === null || price === "unknown" ? "" : money(price.amount, price.currency);
  const whole = amount !== "" && press.endsWith(amount) ? press.slice(0, -amount.length).trim() : press;
  const [verb = "", ...others] = whole.split(" ");
  const rest = others.join(" ");
  const name = characters(oneLine(target?.name ?? ""));
  const names = review.described.map(({ value }) => unmarked(value));
  const short = [[name], [name, ...names]].map((left) => `${verb} ${withoutNames(rest, left)}`.trim());
  return [whole, ...short, verb];
}

/** Words that lead to a name, and mean nothing without it. */
const leading = new Set(["of", "to", "for", "from", "on", "in"]);

function withoutNames(text: string, names: readonly string[]): string {
  const cut = names
    .filter((name) => name !== "")
    .reduce((rest, name) => rest.replaceAll(` ${name} `, " "), ` ${text} `);
  const words = cut.trim().split(" ");
  while (leading.has(words.at(-1) ?? "")) words.pop();
  return words.join(" ");
}

/** The first that fits, or the last. */
function fitting(room: number, forms: readonly string[]): string {
  return forms.find((form) => form.length <= room) ?? forms.at(-1) ?? "";
}
