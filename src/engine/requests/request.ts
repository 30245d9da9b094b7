import * as z from "zod";
import { Origin } from "../answers/origin.ts";

const Fact = z.object({ label: z.string(), value: z.string() });
const Ref = z.object({ channel: z.string(), ts: z.string() });

/** A request to destroy or to spend, as it is stored (design section 4). Its input is sealed and erased when it is decided. */
export const Request = z.object({
  v: z.literal(1),
  id: z.string(),
  state: z.enum(["pending", "claimed", "done", "refused", "unknown", "expired", "discarded", "void"]),
  mode: z.enum(["self", "peer"]),
  /** `change`: it was not asked first; it is kept because nobody knows what came of it. */
  risk: z.enum(["change", "spend", "destroy"]),
  api: z.enum(["customer", "reseller"]),
  command: z.string(),
  verb: z.string(),
  /** The requester, and what they are pinned to. */
  member: z.string(),
  slackUser: z.string(),
  /** Of the requester's customer key; null where they have none. */
  platformUser: z.string().nullable(),
  account: z.string().nullable(),
  /** It runs in the project that it was made in, whatever the requester works in by then. */
  project: z.object({ id: z.string(), name: z.string() }).nullable(),
  keyId: z.string(),
  keyLabel: z.string(),
  target: z.object({ id: z.string(), name: z.string() }).nullable(),
  sealed: z.string().nullable(),
  /** Inputs of the sealed ones that were generated, to be shown to the requester once. */
  generated: z.array(z.string()),
  described: z.array(Fact),
  loss: z.string(),
  material: z.array(Fact),
  shown: z.array(Fact),
  personal: z.array(Fact),
  before: z.json(),
  origin: Origin,
  message: Ref.nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Who pressed or discarded it, and when. */
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  /** Why it came to its present state: mrkdwn. */
  words: z.string(),
  /** Looks taken to settle an unknown outcome. */
  looks: z.number(),
});
export type Request = z.infer<typeof Request>;

/** Who has a request in hand. Taking it is atomic and comes before everything else that decides. */
export const Claim = z.object({
  purpose: z.enum(["run", "discard", "expire", "void"]),
  slackUser: z.string(),
  instance: z.string(),
  at: z.number(),
});
export type Claim = z.infer<typeof Claim>;

export function isOpen(request: Request): boolean {
  return request.state === "pending" || request.state === "claimed" || request.state === "unknown";
}
