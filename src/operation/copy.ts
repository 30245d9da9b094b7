import type { ApiName } from "../platform/http/errors.ts";
import type { Json } from "./answer.ts";
import type { Asking } from "./asking.ts";

/** A copy that is known to have been taken: how it is looked at again, and when it was there. */
export interface LastCopy {
  handle: Json;
  at: number;
}

/** What is said of a copy that can be taken before an act on the same thing. */
export interface CopyOffer {
  /** What it is, what it costs, and what the way back by it really is: mrkdwn. */
  words: string;
  /** The same in half a sentence, for a dialog: "its disk is stored as an image, …". */
  brief: string;
  /** The newest one that stands, in words; null where there is none. */
  newest: { name: string; at: number } | null;
}

/** What makes an operation one that takes a copy: it can then come first. Its input has a `name`, and it is followed to its end. */
export interface CopyDeclaration<A extends ApiName, T> {
  /** The words on the button: "Capture first". */
  label: string;
  /** The step, as a plan names it: "Store the disk as an image". */
  step: string;
  /** Read live; null where no copy of this can be taken. */
  offer: (call: Asking<A> & { target: T; last: LastCopy | null }) => Promise<CopyOffer | null>;
}
