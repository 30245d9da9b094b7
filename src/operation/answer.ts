import type { Block } from "../views/blocks.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One thing that a request states. The values of material facts are compared when the button is pressed. */
export interface Fact {
  label: string;
  value: string;
}

/** An amount in its currency. */
export interface Price {
  amount: string;
  currency: string;
}

/** A price, where it is known in which currency. */
export function priceIn(amount: string, currency: string | null): Price | null {
  return currency === null ? null : { amount, currency };
}

/** What will be lost or charged, read now (design section 4). */
export interface Review {
  /** One sentence for the confirm dialog: what is lost or charged. */
  consequence: string;
  /** The words on the button that does it: the act and the thing ("End web-2 on Nov 28"). Made of the verb and the name otherwise. */
  press: string | null;
  /** The words on the button that backs out ("Keep web-2"). */
  back: string | null;
  /** A change in any of these voids the request. */
  material: Fact[];
  /** Shown, but allowed to drift. */
  shown: Fact[];
  /** For the requester's eyes alone (a balance). */
  personal: Fact[];
  /** What it costs before tax, where the platform names it; null where it does not, or where it costs nothing. What destroys and is charged as well says so with "unknown". */
  price: Price | "unknown" | null;
  /** The state before, for `reconcile` to compare with. */
  before: Json;
}

/** A next step under an answer: an invocation of another operation. */
export interface Step {
  label: string;
  command: string;
  target?: string | undefined;
  input?: Record<string, Json> | undefined;
  style?: "primary" | "danger" | undefined;
  replace?: boolean | undefined;
  /** As of an invocation. */
  originator?: string | undefined;
  /** When it no longer leads anywhere (milliseconds since the epoch). */
  until?: number | undefined;
  /** It leads to a list's page before, or to the one after. */
  turn?: "back" | "more" | undefined;
}

export interface Secret {
  label: string;
  value: string;
  /** A web page that opens whatever it is the key to: it gets a button beside. */
  link?: boolean | undefined;
}

/** What came of a run, to be shown. */
export interface Answer {
  /** What happened, as one or two sentences of mrkdwn; also the notification. */
  text: string;
  blocks?: Block[];
  next?: Step[];
  /** It is a list, and there was nothing to list. */
  empty?: boolean;
  /** Shown once, to the requester alone. */
  secrets?: Secret[];
  /** Sent to the asker in their messages with the app. */
  file?: { name: string; content: string | Buffer };
  /** What `follow` needs to know; null when nothing goes on. */
  handle?: Json;
  /** The order at the supplier that came of it: what they tell of it names that. */
  order?: string | undefined;
  /** Whom it is sold to, by the partner's own id: alerts are filtered by it. */
  customer?: string | null | undefined;
  /** No event comes of it here: it had been done before, or is told elsewhere. */
  unheard?: boolean;
}

/** The steps of a long job, and the one that it is at, counted from 0. */
export interface Stages {
  stages: string[];
  at: number;
}

/** How far an accepted call has come. */
export interface Progress {
  state: "working" | "done" | "failed";
  text: string;
  next?: Step[];
  /** Milliseconds to the next poll, where that is not the operation's usual pace. */
  every?: number;
  /** Shown as a plan whose steps are ticked off; where it fails, the step that it failed at. */
  plan?: Stages;
}

/** What is really so after an outcome that nobody knows. */
export interface Reconciled {
  is: "done" | "not done" | "unsure";
  text: string;
  /** As in `Answer`, when it turns out to be done and something goes on. */
  handle?: Json;
  /** As in `Answer`, when it turns out to be done. */
  next?: Step[];
}
