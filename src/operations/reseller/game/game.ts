import * as z from "#zod";
import { rowButton } from "../../../messages/answers/buttons.ts";
import type { Answer, Fact, Json, Reconciled, Review, Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Effect } from "../../../operation/effects.ts";
import { wrongInput } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import type { Interrupts } from "../../../operation/interrupts.ts";
import type { Call, Declared, HarmlessAct } from "../../../operation/operation.ts";
import { nameIs } from "../../../operation/preconditions.ts";
import type { TargetKind } from "../../../operation/target.ts";
import type { Endpoint, WriteOf, WriteRoute } from "../../../platform/http/endpoint.ts";
import type { Query } from "../../../platform/http/path.ts";
import type { ResellerClient, ResellerScope } from "../../../platform/reseller/client.ts";
import type { GameBody } from "../../../platform/reseller/game/endpoint.ts";
import type { GameList } from "../../../platform/reseller/game/lists.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { mayBeActive } from "../../../platform/service-stage.ts";
import { labelledSecrets, type Parted, partSecrets } from "../../../process/secret-parts.ts";
import { section } from "../../../views/blocks.ts";
import { hiddenBlocks, jsonBlocks, jsonLines } from "../../../views/json.ts";
import { capital, code, count } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import { restLine, rowTitle, wholeLines } from "../../kits/lines.ts";
import { checkParams, paramsWords, readParams, readTexts } from "../../kits/provider-action.ts";
import { requireMachine, requireNotSuspended, resoldService } from "../service/service.ts";

/** Lists and reads resold game servers. They are services, and no row of a service says its kind, so all are offered. */
export const game: TargetKind<"reseller", Service> = {
  ...resoldService,
  label: "resold game server",
  plural: "resold game servers",
};

/** Buttons for other operations on the same game server, by label: the words after `reseller game`. */
export type Buttons = Record<string, string>;

/** The buttons that the platform would accept in the server's state. */
export function stepsOf(row: Service, buttons: Buttons, input?: Step["input"]): Step[] {
  const accepted = Object.entries(buttons).filter(([, verb]) => isAccepted(row, verb));
  return accepted.map(([label, verb]) => ({ label, command: `reseller game ${verb}`, target: row.serviceId, input }));
}

/** The acts that the platform refuses for a suspended server. Reseller spec section 4.3. */
const refusedSuspended = ["start", "console", "backup create"];

/** A server that is not built, withheld or over is only shown. `verb` is the words after `reseller game`. */
export function isAccepted({ status }: Service, verb: string): boolean {
  if (status === "suspended") return !refusedSuspended.includes(verb);
  return mayBeActive(status) || verb === "show";
}

/** Refuses a write before anybody fills in a form or approves it. */
export function requireAccepted(row: Service, verb: string): void {
  if (refusedSuspended.includes(verb)) requireNotSuspended(row);
  else requireMachine(row);
}

/** An answer with the game module's data in the module's layout. Secrets are listed by name only in the blocks. */
export function readAnswer(headline: string, { rest, secrets }: Parted, next: Step[]): Answer {
  return {
    ...headed(headline, [...jsonBlocks(rest, { none: "The game module sent no details." }), ...hiddenBlocks(secrets)]),
    next,
    secrets: labelledSecrets(secrets),
  };
}

/** An answer to a write, with the game module's reply. Its secrets are one-time secrets for the requester. */
function writtenAnswer(text: string, answered: unknown, next: Step[]): Answer {
  const { rest, secrets } = partSecrets(answered);
  const lines = rest === null ? "" : wholeLines(jsonLines(rest), 900);
  return {
    text: lines === "" ? text : `${text}\nIts game module answered: ${lines}`,
    next,
    secrets: labelledSecrets(secrets),
  };
}

const pairs = "name=value pairs, or a JSON object";
/** The sentence of a form whose fields the spec does not show. */
export const unnamedFields = "The platform's documents name no fields: ask its support for them.";

/** The body of a route whose body the spec does not show: the member types it for the game module. Reseller spec section 4. */
export const bodyField = z
  .string()
  .trim()
  .min(1)
  .max(3_000)
  .superRefine(checkParams(`write ${pairs}.`))
  .meta({
    title: "Body to send",
    format: "lines",
    unnamed: true,
    description: `${paramsWords}. ${unnamedFields} No secrets: they are shown`,
  });

/** Parses a body that `bodyField` has checked. */
export function parseBody(text: string): GameBody {
  return readParams(text) ?? {};
}

/** The same for a body whose values are texts: numbers among them stay as they were typed. */
export function parseTexts(text: string): GameBody {
  return readTexts(text) ?? {};
}

/** The same for a body that the member may leave out. */
export function parseOptionalBody(text: string | undefined): GameBody | undefined {
  return text === undefined ? undefined : parseBody(text);
}

/** An id from the game module; it becomes a path segment, so "." and ".." are refused. */
export function idField(title: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, "this is not an id.")
    .meta({ title });
}

const Scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Additional query values for a read whose query the spec does not show. */
export const queryField = z
  .string()
  .trim()
  .max(1_000)
  .optional()
  .superRefine(checkParams(`write ${pairs} of texts, numbers, true or false.`, readQuery))
  .meta({ title: "Query", description: `More query values: ${pairs}. ${unnamedFields}` });

/** Merges a checked query over the usual values of the read. */
export function mergeQuery(text: string | undefined, defaults: Query = {}): Query {
  return { ...defaults, ...(text === undefined ? {} : readQuery(text)) };
}

function readQuery(text: string): Query | null {
  return text === "" ? {} : (Scalars.safeParse(readParams(text)).data ?? null);
}

// Almost all that a game server can do is one call of its game module, whose answer is shown as received. Such an operation is a
// row: data for one of the two functions below. The others are declared in full.

type GameRead = Endpoint<"reseller", ResellerScope, `GET ${string}`>;
type GameCall<I extends z.ZodObject> = Call<"reseller", Service, z.output<I>>;

interface Row<I extends z.ZodObject> {
  summary: string;
  example: Declared<"reseller">["example"];
  /** The act as words that stand alone; made of the command by default. */
  phrase?: string;
  input: I;
  /** The buttons under the answer. */
  next: Buttons;
  /** The input that they carry. */
  carry?: (input: z.output<I>) => Step["input"];
}

interface ReadRow<I extends z.ZodObject> extends Row<I> {
  act: GameRead & ((client: ResellerClient, id: string, query: Query) => Promise<unknown>);
  query?: (input: z.output<I>) => Query;
  /** The first line of the answer; `server` is the name of the game server. */
  headline: (server: string, input: z.output<I>) => string;
}

/** Declares a read. `verb` is the words after `reseller game`. */
export function gameRead<I extends z.ZodObject>(verb: string, row: ReadRow<I>) {
  return defineOperation({
    command: `reseller game ${verb}`,
    summary: row.summary,
    example: row.example,
    ...(row.phrase === undefined ? {} : { phrase: row.phrase }),
    act: row.act,
    risk: "read",
    target: game,
    input: row.input,
    async run({ client, target, input, name }) {
      const found = await row.act(client, target.serviceId, row.query?.(input) ?? {});
      return readAnswer(row.headline(name, input), partSecrets(found), stepsOf(target, row.next, row.carry?.(input)));
    },
  });
}

type GameReview<I extends z.ZodObject> = (call: GameCall<I>) => Promise<Partial<Review> & { consequence: string }>;

/** A row that destroys something does not compile without its review. */
type Decision<I extends z.ZodObject, R extends WriteRoute> =
  | { risk: "change"; act: HarmlessAct<"reseller", R>; review?: GameReview<I> }
  | { risk: "destroy"; act: Endpoint<"reseller", ResellerScope, R>; review: GameReview<I> };

type WriteRow<I extends z.ZodObject, R extends WriteRoute> = Row<I> &
  Decision<I, R> & {
    writes?: readonly Endpoint<"reseller", ResellerScope, R>[];
    /** The list that the write changes, or that its input is chosen from. */
    list?: GameRead;
    /** The label of its button. */
    verb?: string;
    choices?: Record<string, Chooser<"reseller", Service>>;
    typed?: readonly (keyof z.output<I> & string)[];
    interrupts?: Interrupts<z.output<I>>;
    before?: (call: GameCall<I>) => Promise<Json>;
    effects?: readonly Effect[];
    send: (client: ResellerClient<WriteOf<NoInfer<R>>>, id: string, input: z.output<I>) => Promise<unknown>;
    /** The sentence after the call; `server` is the name of the game server. */
    done: (server: string, input: z.output<I>) => string;
    reconcile: (call: GameCall<I>, was: { before: Json }) => Promise<Reconciled>;
  };

/** Declares a write. `verb` is the words after `reseller game`. */
export function gameWrite<I extends z.ZodObject, R extends WriteRoute>(verb: string, row: WriteRow<I, R>) {
  return defineOperation({
    // The game module does most of it inside the server.
    effects: [],
    ...row,
    command: `reseller game ${verb}`,
    group: "data",
    reads: row.list ? [row.list] : [],
    target: game,
    usable: ({ target }) => requireAccepted(target, verb),
    async run({ client, target, input, name }) {
      const answered = await row.send(client, target.serviceId, input);
      return writtenAnswer(row.done(name, input), answered, stepsOf(target, row.next, row.carry?.(input)));
    },
  });
}

// A list of the game module whose rows a member can choose: backups, schedules, mods.

type Rows = Endpoint<"reseller", ResellerScope, `GET ${string}`> &
  ((client: ResellerClient, id: string) => Promise<GameList>);
type RowCall<I> = Call<"reseller", Service, I>;

/** The input of an act that adds a row. */
interface Addition {
  body?: string | undefined;
  file?: { name: string } | undefined;
}

function idsOf(rows: GameList["rows"]): Json {
  return rows?.map(({ id }) => id) ?? null;
}

const labelField = /^(id|slug|(name|project|file|mod)(_?(id|name|slug))?)$/i;

/** The values by which a body or a row names its subject, as slugs: a project `deep-caves` may be listed as `Deep Caves`. */
function labelsOf(body: object): string[] {
  const labels = Object.entries(body).filter(([field]) => labelField.test(field));
  const texts = labels.map(([, value]) => (typeof value === "string" || typeof value === "number" ? `${value}` : ""));
  return texts
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-"));
}

const marks = { backup: ":floppy_disk:", schedule: ":alarm_clock:", mod: ":package:" };

/** The words for the loss of the chosen row; `server` is the name of the game server. */
type RowWords = (row: string, server: string, call: RowCall<unknown>) => Pick<Review, "consequence" | "press" | "back">;

/** The list of one kind of row, and the members of the operations on its rows. The input that names a row is called `one`. */
export function moduleList<F extends "backup" | "schedule" | "mod">(one: F, list: Rows) {
  const chooser: Chooser<"reseller", Service> = async ({ client, target }) => {
    const { rows } = await list(client, target.serviceId);
    return (rows ?? []).map((row) => ({
      value: row.id,
      label: rowTitle(row),
      description: restLine(row).slice(0, 75),
    }));
  };
  /** The list may have no readable rows: an id may be typed. */
  const chosen = { list, choices: { [one]: chooser }, typed: [one] };

  /** The review of an act that destroys the chosen row, or other data with it. Throws an InputError if the row is gone. */
  function review(words: RowWords) {
    return async (call: RowCall<Record<F, string>>) => {
      const { client, target, input } = call;
      const { rows } = await list(client, target.serviceId);
      const found = rows?.find(({ id }) => id === input[one]);
      // A list without readable rows shows nothing of it.
      if (!found && rows?.length) throw wrongInput(one, `There is no ${one} with that id any more.`);
      const name = found ? rowTitle(found) : input[one];
      return {
        ...words(name, call.name, call),
        preconditions: { [one]: nameIs(capital(one), name) },
        shown: [
          {
            label: "From the game module",
            value: found
              ? restLine(found) || "nothing more"
              : `not shown: its list has no ${one} that Rackbell can read`,
            decides: found ? "known" : "unknown",
          },
        ] satisfies Fact[],
        before: idsOf(rows),
        isListed: found !== undefined,
      };
    };
  }

  /** Unsure where the list did not show the row before, or shows no rows now: an answer without rows may be a fault. */
  async function reconcileGone(
    { client, target, input }: RowCall<Record<F, string>>,
    { before }: { before: Json },
  ): Promise<Reconciled> {
    const { rows } = await list(client, target.serviceId);
    if (rows?.some(({ id }) => id === input[one])) return { is: "not done", text: `the ${one} is still there.` };
    if (!rows?.length) return { is: "unsure", text: `The game module's list shows no ${one} that Rackbell can read.` };
    if (Array.isArray(before) && before.includes(input[one])) return { is: "done", text: `the ${one} is gone.` };
    return { is: "unsure", text: `The game module's list did not show the ${one} before, and does not show it now.` };
  }

  /**
   * Another person or a schedule can add a row meanwhile: only the name, project or file that was sent proves one. Unsure where the list showed no
   * rows before, or shows none now.
   */
  async function reconcileAdded(
    { client, target, input }: RowCall<Addition>,
    { before }: { before: Json },
  ): Promise<Reconciled> {
    const { rows } = await list(client, target.serviceId);
    const older = Array.isArray(before) ? before : [];
    if (!rows?.length || older.length === 0)
      return { is: "unsure", text: "The game module's list shows no entries to compare." };
    const sent = labelsOf({ ...(input.file && { file: input.file.name }), ...parseOptionalBody(input.body) });
    const bears = (row: object) => labelsOf(row).some((label) => sent.includes(label));
    const fresh = rows.filter(({ id }) => !older.includes(id));
    const made = fresh.find(bears);
    if (made) return { is: "done", text: `${code(rowTitle(made))} is there.` };
    const [other] = fresh;
    if (other)
      return {
        is: "unsure",
        text: `There is a new ${one}, ${code(rowTitle(other))}, but another act may have made it.`,
      };
    // Another version of a mod can take the place of the installed one.
    if (one === "mod" || rows.some(bears))
      return { is: "unsure", text: "The game module's list has no new entry. An entry may have been replaced." };
    return { is: "not done", text: "the game module's list has no new entry." };
  }

  return {
    chosen,
    review,
    /** The members of an act that deletes the chosen row. */
    removal: (words: RowWords) => ({
      ...chosen,
      risk: "destroy" as const,
      review: review(words),
      reconcile: reconcileGone,
    }),
    /** The members of an act that adds a row. */
    addition: {
      list,
      risk: "change" as const,
      before: async ({ client, target }: RowCall<unknown>) => idsOf((await list(client, target.serviceId)).rows),
      reconcile: reconcileAdded,
    },
    /** Declares the list itself, with a button in each row. Without readable rows it is shown in the game module's layout. */
    operation: (row: {
      summary: string;
      example: Declared<"reseller">["example"];
      next: Buttons;
      press: [label: string, verb: string];
    }) =>
      defineOperation({
        command: `reseller game ${one}s`,
        summary: row.summary,
        example: row.example,
        act: list,
        risk: "read",
        target: game,
        input: z.object({}),
        async run({ client, target, may, name }) {
          const { rows, answer } = await list(client, target.serviceId);
          const next = stepsOf(target, row.next);
          if (!rows?.length) return readAnswer(`${name}: ${one}s`, partSecrets(answer), next);
          const [label, verb] = row.press;
          const press = { command: `reseller game ${verb}`, target: target.serviceId };
          const allowed = may(press.command) && isAccepted(target, verb);
          const shown = rows.map((each) => {
            const button = allowed ? rowButton(label, { ...press, input: { [one]: each.id } }, each.id) : undefined;
            return section(`${marks[one]} ${code(rowTitle(each))}\n${restLine(each)}`, button);
          });
          return { ...headed(`${name} has ${count(rows.length, one)}.`, shown), next };
        },
      }),
  };
}
