import * as z from "zod";

/** The options of the world, the orders that the bench sends to it, and the messages that it sends back. */
export const WorldOptions = z.object({
  /** Plain machines on top of the practice estate. */
  bulk: z.number().default(0),
  /** How long the platform takes for each answer. */
  latencyMs: z.number().default(0),
  /** How long Slack takes for each answer, and until a message is seen. */
  slackLatencyMs: z.number().default(0),
});
export type WorldOptions = z.input<typeof WorldOptions>;

export const Order = z.object({
  order: z.enum(["key", "clear", "calls", "stop"]),
  id: z.number(),
});
export type Order = z.input<typeof Order>;

export const Button = z.looseObject({ action_id: z.string(), value: z.string() });
type Button = z.infer<typeof Button>;

/** A message as the bench sees it. */
export interface Answered {
  text: string;
  buttons: Button[];
}

export const WorldMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open"), platformUrl: z.string(), slackUrl: z.string() }),
  z.object({ type: z.literal("reply"), id: z.number(), key: z.string().nullable(), calls: z.array(z.string()) }),
  /** An answer arrived for the command that was typed in this channel, with its buttons. */
  z.object({ type: z.literal("answer"), channel: z.string(), text: z.string(), buttons: z.array(Button) }),
  z.object({ type: z.literal("view"), trigger: z.string(), view: z.unknown() }),
]);
export type WorldMessage = z.infer<typeof WorldMessage>;
