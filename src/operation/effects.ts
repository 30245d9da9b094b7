import * as z from "#zod";
import type { Json } from "./answer.ts";

/** The aspects of the platform's resources that acts change, each with the states that an act can lead to. */
const aspectStates = {
  /** Of a machine or a game server. */
  power: ["running", "stopped", "paused"],
  /** The billing state of a service. */
  billing: ["active", "suspended", "terminated", "provisioning_failed"],
  cancellation: ["scheduled", "none"],
  /** The rescue system of a dedicated server. */
  rescue: ["on", "off"],
  /** Of an operating system. */
  installation: ["in_progress", "completed", "failed"],
  credentials: ["changed"],
  plan: ["changed"],
  project: ["changed"],
  /** Of an invoice, a proforma or a resold order. */
  payment: ["new", "invoiced", "paid", "failed", "cancelled"],
  /** Of all services of an order. */
  building: ["completed", "failed"],
  image: ["available", "error", "gone"],
} as const;

export type Aspect = keyof typeof aspectStates;
type StateOf<A extends Aspect> = (typeof aspectStates)[A][number];
export type PowerState = StateOf<"power">;

/** The states of one aspect of one resource to which an act leads. */
interface EffectOn<A extends Aspect> {
  aspect: A;
  /** The target by default. `made`: something that the act creates. `documents`: the open documents for its target. */
  on?: "target" | "made" | "documents";
  /** The states that the platform may show until the act has ended. */
  through?: readonly StateOf<A>[];
  /** The state in which it ends, of which the end of the act is the proof. Empty: the state is as before the act again. */
  to: readonly StateOf<A>[];
  /** The states that report its failure: they alert, and name its requester. */
  failing?: readonly StateOf<A>[];
  /** The platform brings it about by itself, at a time that nobody knows beforehand: the end of the act is not its end. */
  later?: true;
}

export type Effect = { [A in Aspect]: EffectOn<A> }[Aspect];

/** The effects of an act; a function if the target, the input or the state before the act decides. */
export type Effects<T, I> = readonly Effect[] | ((call: { target: T; input: I; before: Json }) => readonly Effect[]);

/** An effect as a request stores it, with the defaults filled in. */
export const StoredEffect = z.object({
  aspect: z.string(),
  on: z.enum(["target", "made", "documents"]),
  through: z.array(z.string()),
  to: z.array(z.string()),
  failing: z.array(z.string()),
  later: z.boolean(),
});
export type StoredEffect = z.infer<typeof StoredEffect>;

export function storedEffect(effect: Effect): StoredEffect {
  const { aspect, on = "target", through = [], to, failing = [], later = false } = effect;
  return { aspect, on, through: [...through], to: [...to], failing: [...failing], later };
}

/** An act of a member, with all that judges whether it led to a state that is found. */
export interface EffectiveAct {
  request: string;
  slackUser: string;
  member: string;
  command: string;
  target: string | null;
  effects: readonly StoredEffect[];
  /** When it ended, in milliseconds since the epoch: infinite while it is under way. An end that the platform never shows is assumed. */
  endsAt: number;
  /** It ended in the states that its effects name. */
  reached: boolean;
}

/** Finds the newest acts on a resource, or that made it, by its platform id. */
export type FindActs = (id: string) => Promise<EffectiveAct[]>;
