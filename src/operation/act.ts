import type { PlainText } from "../process/plain-text.ts";
import type { Answer, Fact, Json, OtherCharge, Reconciled, Review } from "./answer.ts";
import type { Relocation } from "./bulk.ts";
import type { StoredEffect } from "./effects.ts";
import type { Identity } from "./identity.ts";
import type { ReplacedSecret } from "./interrupts.ts";
import type { Risk } from "./risk.ts";
import type { ProjectRef } from "./target.ts";

/** A resource that an act creates. */
export interface CreatedResource {
  /** Describes the resource: two acts that create the same have the same text. */
  what: string;
  /** The member named the resource. Without a name, two requests by one member mean two resources. */
  named: boolean;
}

/** An operation with its target and input read, ready for review and run. */
export interface Act {
  /** Identifies this run for good. */
  id: string;
  target: { id: string; name: PlainText } | null;
  /** The project of the target, or of the new resource; null if unknown. */
  project: ProjectRef | null;
  /** The facts by which people know the target, as its row has them; null without a target. */
  identity: Identity | null;
  /** The same with an address that only a call of its own reads. */
  readIdentity(): Promise<Identity | null>;
  /** The moves from one project into another; `ruled` are the projects that approval rules name. May read from the platform. */
  relocations(ruled: readonly ProjectRef[]): Promise<Relocation[]>;
  /** The acts that it does, and the kinds of resource that it may do them to: see `same-act.ts`. */
  acts: readonly string[];
  kinds: readonly string[];
  /** Every name and address of the target, as read now. */
  names: readonly PlainText[];
  /** Every state of the target, as read now. */
  states: readonly string[];
  /** Those that no spec lists, in the platform's words: whoever decides reads of them, and nothing runs without a decision. */
  unlisted: readonly string[];
  /** The input with chosen names replaced by ids. A request stores this, so that it means the same later. */
  input: Record<string, unknown>;
  /** The parsed input as facts for the audit log and sentences, without secrets. */
  described: Fact[];
  /** The requester's reason; empty if they gave none. */
  reason: PlainText;
  risk: Risk;
  /** The act in a word: "Reinstall"; made for this input if the input decides it. */
  verb: PlainText;
  /**
   * The resources that it creates. If the account created the same within minutes, the app asks whether a second one is meant.
   */
  makes: readonly CreatedResource[];
  /** The command that backs up the target first; null if there is none. `asksBackup`: the requester asks for that. */
  backupFirst: string | null;
  asksBackup: boolean;
  /** Refuses a target that the platform would refuse for any input; writes nothing. */
  usable(): Promise<void>;
  /** The sentence of what it interrupts; null if it interrupts nothing. The review has it as well. */
  interrupts: string | null;
  /** The secret that it replaces; null if it replaces none. Then it asks first, wherever it would run at once. */
  replaces: ReplacedSecret | null;
  review(): Promise<Review>;
  /** The state that `reconcile` compares with if the operation runs at once. Read right before the call. */
  before(): Promise<Json>;
  /** Does the one write. `before` comes from the review that was shown. */
  run(before?: Json): Promise<Answer>;
  /** `others`: what the same payer spent at the same time or since. */
  reconcile(before: Json, since: number, others?: readonly OtherCharge[]): Promise<Reconciled>;
  /** The states that it leads to. `before` comes from the review that was shown. */
  effects(before: Json): StoredEffect[];
}

/** Runs an act. Catches errors of the write alone: a failed notification afterwards must not look like a failed act. */
export async function runAct(act: Act, before: Json): Promise<{ answer: Answer } | { error: unknown }> {
  try {
    return { answer: await act.run(before) };
  } catch (error) {
    return { error };
  }
}
