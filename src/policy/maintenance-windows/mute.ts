import * as z from "zod";

export const Mute = z.object({
  /** Null: every channel. */
  channel: z.string().nullable(),
  /** A customer, an order or a service; null means any. */
  about: z.string().nullable(),
  /** Milliseconds since the epoch. */
  until: z.number(),
  by: z.string(),
});
export type Mute = z.infer<typeof Mute>;
