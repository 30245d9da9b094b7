import type * as z from "zod";
import type { Json, Reconciled, Review, Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import type { Interrupts } from "../../../operation/interrupts.ts";
import type { Call } from "../../../operation/operation.ts";
import type { Endpoint, WriteOf, WriteRoute } from "../../../platform/http/endpoint.ts";
import type { Query } from "../../../platform/http/path.ts";
import type { ResellerClient, ResellerScope } from "../../../platform/reseller/client.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { type Buttons, game, quotedName, readAnswer, requireAccepted, stepsOf, writtenAnswer } from "./game.ts";

// Almost all that a game server can do is one call of its game module, whose answer is shown as received. Such an operation is a
// row: data for one of the two functions below. The others are declared in full.

type GameRead = Endpoint<"reseller", ResellerScope, `GET ${string}`>;
type GameCall<I extends z.ZodObject> = Call<"reseller", Service, z.output<I>>;

interface Row<I extends z.ZodObject> {
  summary: string;
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
  /** Only the member who reads it sees the answer: it may contain secrets. */
  personal?: boolean;
}

/** Declares a read. `verb` is the words after `reseller game`. */
export function gameRead<I extends z.ZodObject>(verb: string, row: ReadRow<I>) {
  return defineOperation({
    command: `reseller game ${verb}`,
    summary: row.summary,
    ...(row.phrase === undefined ? {} : { phrase: row.phrase }),
    act: row.act,
    reads: [readService],
    risk: "read",
    target: game,
    personal: row.personal ?? false,
    input: row.input,
    async run({ client, target, input }) {
      const found = await row.act(client, target.serviceId, row.query?.(input) ?? {});
      const headline = row.headline(quotedName(target), input);
      return readAnswer(headline, partSecrets(found), stepsOf(target, row.next, row.carry?.(input)));
    },
  });
}

type GameReview<I extends z.ZodObject> = (call: GameCall<I>) => Promise<Partial<Review> & { consequence: string }>;

/** A row that destroys something does not compile without its review. */
type Decision<I extends z.ZodObject> =
  | { risk: "change"; review?: GameReview<I> }
  | { risk: "destroy"; review: GameReview<I> };

type WriteRow<I extends z.ZodObject, R extends WriteRoute> = Row<I> &
  Decision<I> & {
    act: Endpoint<"reseller", ResellerScope, R>;
    writes?: readonly Endpoint<"reseller", ResellerScope, R>[];
    /** The list that the write changes, or that its input is chosen from. */
    list?: GameRead;
    /** The label of its button. */
    verb?: string;
    choices?: Record<string, Chooser<"reseller", Service>>;
    typed?: readonly (keyof z.output<I> & string)[];
    interrupts?: Interrupts<z.output<I>>;
    before?: (call: GameCall<I>) => Promise<Json>;
    send: (client: ResellerClient<WriteOf<NoInfer<R>>>, id: string, input: z.output<I>) => Promise<unknown>;
    /** The sentence after the call; `server` is the name of the game server. */
    done: (server: string, input: z.output<I>) => string;
    reconcile: (call: GameCall<I>, was: { before: Json }) => Promise<Reconciled>;
  };

/** Declares a write. `verb` is the words after `reseller game`. */
export function gameWrite<I extends z.ZodObject, R extends WriteRoute>(verb: string, row: WriteRow<I, R>) {
  return defineOperation({
    ...row,
    command: `reseller game ${verb}`,
    group: "data",
    reads: row.list ? [row.list, readService] : [readService],
    target: game,
    usable: ({ target }) => requireAccepted(target, verb),
    async run({ client, target, input }) {
      const answered = await row.send(client, target.serviceId, input);
      const next = stepsOf(target, row.next, row.carry?.(input));
      return writtenAnswer(row.done(quotedName(target), input), answered, next);
    },
  });
}
