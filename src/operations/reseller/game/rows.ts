import { rowButton } from "../../../notifications/answers/buttons.ts";
import type { Answer, Json, Reconciled, Step } from "../../../operation/answer.ts";
import type { Choice } from "../../../operation/call-context.ts";
import { InputError } from "../../../operation/errors.ts";
import type { GameList } from "../../../platform/reseller/game/list.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code, count } from "../../../views/text.ts";
import { sideBySide, titleOf } from "../../service/lines.ts";
import { quotedName, readAnswer } from "./game.ts";

export type Row = GameList["rows"][number];

/** A row's other fields, on one line, without secrets. */
function detailOf(row: Row): string {
  const { id: _, name: __, ...others } = row;
  return sideBySide(renderJson(partSecrets(others).rest), 450);
}

/** The rows as choices of a select menu. */
export function rowChoices({ rows }: GameList): Choice[] {
  return rows.map((row) => ({ value: row.id, label: titleOf(row), description: detailOf(row).slice(0, 75) }));
}

/** The row with this id. Null where the list has no readable rows; throws an InputError where it has only others. */
function chosenRow({ rows }: GameList, id: string, field: string): Row | null {
  const found = rows.find((row) => row.id === id);
  if (found === undefined && rows.length > 0)
    throw new InputError([{ field, message: `There is no ${field} with that id any more.` }]);
  return found ?? null;
}

/** A row's name and fields for the review of a request. Throws an InputError where the list has only other rows. */
export function reviewedRow(list: GameList, id: string, field: string) {
  const found = chosenRow(list, id, field);
  const name = found ? titleOf(found) : id;
  return {
    name,
    listed: found !== null,
    shown: found ? [{ label: "As the game module tells of it", value: detailOf(found) || "nothing more" }] : [],
    before: idsIn(list),
  };
}

/** Shows each row with a button. A list without readable rows is shown in the game module's layout. */
export function rowsAnswer(
  target: Service,
  list: GameList,
  about: {
    one: string;
    next: Step[];
    /** The button's operation; null where the member may not run it. */
    press: { label: string; command: string; field: string } | null;
  },
): Answer {
  const { one, next, press } = about;
  if (list.rows.length === 0) return readAnswer(`${quotedName(target)}: ${one}s`, list.answer, next);
  const headline = `${quotedName(target)} has ${count(list.rows.length, one)}.`;
  const rows = list.rows.map((row) =>
    section(`*${code(titleOf(row))}*\n${detailOf(row)}`, pressFor(target, row, press)),
  );
  return { text: headline, blocks: [section(`*${headline}*`), ...rows], next };
}

function pressFor(
  { serviceId: target }: Service,
  { id }: Row,
  press: { label: string; command: string; field: string } | null,
) {
  if (press === null) return undefined;
  const { label, command, field } = press;
  return rowButton(label, { command, target, input: { [field]: id } }, id);
}

/** The ids in a list, saved before a write: `goneFrom` and `newIn` compare them afterwards. */
export function idsIn({ rows }: GameList): string[] {
  return rows.map(({ id }) => id);
}

/** Checks if a row was deleted. Unsure where the list did not show the row before the delete. */
export function goneFrom({ rows }: GameList, id: string, before: Json): Reconciled {
  if (rows.some((row) => row.id === id)) return { is: "not done", text: "it is still there." };
  const was = Array.isArray(before) && before.includes(id);
  return was
    ? { is: "done", text: "it is gone." }
    : { is: "unsure", text: "The game module's list did not show it before, and does not now." };
}

/** Checks if a new row appeared since `before`. Unsure where the list showed no rows before. */
export function newIn({ rows }: GameList, before: Json): Reconciled {
  const known = Array.isArray(before) ? before : [];
  const fresh = rows.find(({ id }) => !known.includes(id));
  if (fresh) return { is: "done", text: `${code(titleOf(fresh))} is there.` };
  return known.length > 0
    ? { is: "not done", text: "nothing new is there." }
    : { is: "unsure", text: "The game module's list shows nothing that could be compared." };
}
