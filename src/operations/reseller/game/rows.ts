import * as z from "zod";
import { rowButton } from "../../../notifications/answers/buttons.ts";
import type { Json, Reconciled, Review } from "../../../operation/answer.ts";
import type { Choice } from "../../../operation/call-context.ts";
import { defineOperation } from "../../../operation/define.ts";
import { wrongInput } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import type { Call } from "../../../operation/operation.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import type { Endpoint } from "../../../platform/http/endpoint.ts";
import type { ResellerClient, ResellerScope } from "../../../platform/reseller/client.ts";
import type { GameList } from "../../../platform/reseller/game/list.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code, count } from "../../../views/text.ts";
import { sideBySide, titleOf } from "../../kits/lines.ts";
import { type Buttons, game, isAccepted, quotedName, readAnswer, stepsOf } from "./game.ts";

type Row = GameList["rows"][number];
type GameCall<I> = Call<"reseller", Service, I>;

/** A list of the game module, whose rows a member can choose: backups, schedules, mods. */
export type Lister = Endpoint<"reseller", ResellerScope, `GET ${string}`> &
  ((client: ResellerClient, id: string) => Promise<GameList>);

/** A row's other fields, on one line, without secrets. */
function detailOf(row: Row): string {
  const { id: _, name: __, ...others } = row;
  return sideBySide(renderJson(partSecrets(others).rest), 450);
}

const marks = { backup: ":floppy_disk:", schedule: ":alarm_clock:", mod: ":package:" };

/** Declares the list itself, with a button in each row. A list without readable rows is shown in the game module's layout. */
export function gameList(
  one: "backup" | "schedule" | "mod",
  row: { summary: string; list: Lister; next: Buttons; press: [label: string, verb: string] },
) {
  return defineOperation({
    command: `reseller game ${one}s`,
    summary: row.summary,
    act: row.list,
    reads: [readService],
    risk: "read",
    target: game,
    input: z.object({}),
    async run({ client, target, may }) {
      const { rows, answer } = await row.list(client, target.serviceId);
      const next = stepsOf(target, row.next);
      if (rows.length === 0) return readAnswer(`${quotedName(target)}: ${one}s`, partSecrets(answer), next);
      const headline = `${quotedName(target)} has ${count(rows.length, one)}.`;
      const [label, verb] = row.press;
      const press = { command: `reseller game ${verb}`, target: target.serviceId };
      const allowed = may(press.command) && isAccepted(target, verb);
      const shown = rows.map((each) => {
        const button = allowed ? rowButton(label, { ...press, input: { [one]: each.id } }, each.id) : undefined;
        return section(`${marks[one]} ${code(titleOf(each))}\n${detailOf(each)}`, button);
      });
      return { text: headline, blocks: [section(`*${headline}*`), ...shown], next };
    },
  });
}

/** The input `field` is chosen from the rows of `list`. The list may have no readable rows: an id may be typed. */
export function chosenFrom<F extends string>(field: F, list: Lister) {
  const chooser: Chooser<"reseller", Service> = async ({ client, target }): Promise<Choice[]> => {
    const { rows } = await list(client, target.serviceId);
    return rows.map((row) => ({ value: row.id, label: titleOf(row), description: detailOf(row).slice(0, 75) }));
  };
  return { list, choices: { [field]: chooser }, typed: [field] };
}

/** The words for the loss of the chosen row. */
type RowWords = (name: string, server: Service) => Pick<Review, "consequence" | "press" | "back">;

/** The review of an act that destroys the chosen row, or other data with it. Throws an InputError if the row is gone. */
export function rowReview<F extends string>(field: F, title: string, list: Lister, words: RowWords) {
  return async ({ client, target, input }: GameCall<Record<F, string>>) => {
    const listed = await list(client, target.serviceId);
    const found = chosenRow(listed, input[field], field);
    const name = found ? titleOf(found) : input[field];
    return {
      ...words(name, target),
      preconditions: { [field]: nameIs(title, name) },
      shown: found ? [{ label: "From the game module", value: detailOf(found) || "nothing more" }] : [],
      before: idsIn(listed),
      isListed: found !== null,
    };
  };
}

/** The row with this id. Null where the list has no readable rows; throws an InputError where it has only others. */
function chosenRow({ rows }: GameList, id: string, field: string): Row | null {
  const found = rows.find((row) => row.id === id);
  if (found === undefined && rows.length > 0) throw wrongInput(field, `There is no ${field} with that id any more.`);
  return found ?? null;
}

/** The ids in a list, saved before a write and compared afterwards. */
function idsIn({ rows }: GameList): string[] {
  return rows.map(({ id }) => id);
}

/** For an act that deletes the row of `field`. Unsure where the list did not show the row before. */
export function reconcileGone<F extends string>(field: F, list: Lister) {
  return async (
    { client, target, input }: GameCall<Record<F, string>>,
    { before }: { before: Json },
  ): Promise<Reconciled> => {
    const { rows } = await list(client, target.serviceId);
    if (rows.some(({ id }) => id === input[field])) return { is: "not done", text: `the ${field} is still there.` };
    const was = Array.isArray(before) && before.includes(input[field]);
    return was
      ? { is: "done", text: `the ${field} is gone.` }
      : { is: "unsure", text: `The game module's list did not show the ${field} before, and does not show it now.` };
  };
}

/** For an act that adds a row to `list`. Unsure where the list showed no rows before. */
export function addsTo(list: Lister) {
  return {
    list,
    before: async ({ client, target }: GameCall<unknown>) => idsIn(await list(client, target.serviceId)),
    async reconcile({ client, target }: GameCall<unknown>, { before }: { before: Json }): Promise<Reconciled> {
      const { rows } = await list(client, target.serviceId);
      const known = Array.isArray(before) ? before : [];
      const fresh = rows.find(({ id }) => !known.includes(id));
      if (fresh) return { is: "done", text: `${code(titleOf(fresh))} is there.` };
      return known.length > 0
        ? { is: "not done", text: "the game module's list has no new entry." }
        : { is: "unsure", text: "The game module's list shows no entries to compare." };
    },
  };
}
