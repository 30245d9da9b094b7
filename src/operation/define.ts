import type * as z from "zod";
import type { Client } from "../platform/http/transport.ts";
import { InputError } from "./errors.ts";
import { type Chooser, checkInput, coerce, describeInput, matchChoices, parseInput } from "./input.ts";
import type {
  Answer,
  Api,
  BeginCall,
  Call,
  Follow,
  Json,
  Listed,
  Operation,
  PollCall,
  Progress,
  Reconciled,
  Review,
  Risk,
  Scope,
  TargetKind,
} from "./operation.ts";
import type { Wizard } from "./wizard.ts";

/** What a member can do on the platform, declared once (design section 1). `T` is the target, `I` the input, `H` the handle. */
export interface OperationDeclaration<T, I extends z.ZodObject, H extends z.ZodType> {
  /** "<noun> <verb…>", as it is typed. */
  command: string;
  /** One line for help, the reference and the form. */
  summary: string;
  api?: Exclude<Api, "app">;
  /** As the spec writes them: the act itself first, then what is read for it. */
  routes: string[];
  scope: Scope;
  /** A function where the input decides (an unknown plugin verb); `usual` is then what the reference says. */
  risk: Risk | { usual: Risk; of: (call: { target: T; input: z.output<I> }) => Risk };
  target: TargetKind<T>;
  input: I;
  /** The input that words after the verb fill where there is no target: `/vps list web`. */
  positional?: string;
  /** A form in pages; it fills the one input that is an object. */
  wizard?: Wizard;
  /** Live lists to choose an input from; typed names are matched against them. */
  choices?: Record<string, Chooser<T>>;
  /** What the confirm dialog says before a card's button interrupts a service. */
  interrupts?: string;
  /** The word on a button; made from the command otherwise. */
  verb?: string;
  /** True where an answer is for its asker alone and cannot be shared. */
  personal?: boolean;
  /** What will be lost or charged, read at this moment. */
  review?: (call: Call<T, z.output<I>>) => Promise<Partial<Review> & { consequence: string }>;
  /** The one write (or the read), and what to show of it. `before` is the review's, as it was shown. */
  run: (call: Call<T, z.output<I>>, before: Json) => Promise<Answer>;
  /** After an unknown outcome: reads again, and says what is really so. */
  reconcile?: (call: Call<T, z.output<I>>, was: { before: Json; since: number }) => Promise<Reconciled>;
  follow?: Follow & {
    handle: H;
    poll: (call: PollCall, handle: z.output<H>) => Promise<Progress>;
  };
}

/** The target of an operation that has none. */
export const noTarget: TargetKind<null> = {
  noun: "",
  label: "",
  list: async () => ({ rows: [], pagination: { page: 1, limit: 1, total: 0, pages: 0 } }),
  read: async () => null,
  entry: () => ({ id: "", name: "", aliases: [], state: "", project: "", detail: "" }),
};

/** Turns a declaration into the operation that the engine and the doors work with. */
export function defineOperation<T, I extends z.ZodObject, H extends z.ZodType = z.ZodNull>(
  declaration: OperationDeclaration<T, I, H>,
): Operation {
  const { command, target, risk, follow, input, choices = {} } = declaration;

  async function readTarget(client: Client, id: string | null): Promise<T> {
    if (id === null && target.noun !== "")
      throw new InputError([{ field: "target", message: `Choose a ${target.label}.` }]);
    return target.read(client, id ?? "");
  }

  async function prepare(call: BeginCall): Promise<{ call: Call<T, z.output<I>>; settled: Record<string, unknown> }> {
    const { client, actor } = call;
    if (!client) throw new Error(`${command} was begun without a client`);
    const found = await readTarget(client, call.targetId);
    const settled = await matchChoices(coerce(input, call.input), call.resolved ? {} : choices, {
      client,
      actor,
      target: found,
      listing: call.listing,
    });
    return { call: { ...call, client, target: found, input: parseInput(input, settled) }, settled };
  }

  return {
    command,
    summary: declaration.summary,
    api: declaration.api ?? "customer",
    routes: declaration.routes,
    scope: declaration.scope,
    risk: typeof risk === "string" ? risk : risk.usual,
    target: target.noun === "" ? null : listedOf(target),
    input,
    positional: declaration.positional ?? null,
    chosen: Object.keys(choices),
    interrupts: declaration.interrupts ?? null,
    verb: declaration.verb ?? verbOf(command),
    personal: declaration.personal ?? false,
    follow: follow ? { every: follow.every, deadline: follow.deadline } : null,
    wizard: declaration.wizard ?? null,
    check: (raw) => checkInput(input, raw),
    async choices(field, { client, actor, targetId, listing }) {
      const chooser = choices[field];
      return chooser ? chooser({ client, actor, target: await readTarget(client, targetId), listing }) : [];
    },
    async begin(raw) {
      const { call, settled } = await prepare(raw);
      const entry = target.entry(call.target);
      return {
        target: target.noun === "" ? null : { id: entry.id, name: entry.name },
        input: settled,
        described: describeInput(input, call.input, Object.keys(choices)),
        risk: typeof risk === "string" ? risk : risk.of(call),
        async review() {
          const review = await declaration.review?.(call);
          return { consequence: "", material: [], shown: [], personal: [], before: null, ...review };
        },
        run: (before = null) => declaration.run(call, before),
        async reconcile(before, since) {
          if (declaration.reconcile) return declaration.reconcile(call, { before, since });
          return { is: "unsure", text: "The platform keeps no trace of it that could be read again." };
        },
      };
    },
    async poll(raw, handle) {
      if (!follow) throw new Error(`${command} has nothing to follow`);
      return follow.poll(raw, follow.handle.parse(handle));
    },
    async explainMissing(client, id) {
      return target.missing?.(await target.read(client, id)) ?? null;
    },
  };
}

/** A target kind as the directory sees it. */
export function listedOf<T>(kind: TargetKind<T>): Listed {
  return {
    noun: kind.noun,
    label: kind.label,
    async entries(client, query) {
      const { rows, pagination } = await kind.list(client, query);
      return { pagination, rows: rows.map((row) => kind.entry(row)) };
    },
  };
}

/** "vps snapshot delete" -> "Snapshot delete". */
export function verbOf(command: string): string {
  const words = command.split(" ").slice(1).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
