import type { Tool } from "@modelcontextprotocol/server";
import * as z from "#zod";
import { nouns } from "../../operation/nouns.ts";
import { mostWhy } from "../../requests/facets/agent/record.ts";
import { listing } from "../../views/text.ts";
import { FoundOperation } from "./offer.ts";
import { AgentReadResult } from "./read.ts";
import { RequestStatus } from "./status.ts";

const command = z.string().max(200).describe("A command as search_operations names it, such as vps list");
const target = z.string().max(300).optional().describe("Name, host name or id of the resource");
const project = z.string().max(200).optional().describe("The project, if this agent is for several");
const input = z.record(z.string(), z.json()).default({}).describe("Values by the input schema of the command");
const request = z.uuid().describe("The id of a request that you proposed");

interface ToolSpec {
  title: string;
  description: string;
  /** Unknown arguments are refused, so that none is thought to count. */
  input: z.ZodObject;
  output: z.ZodObject;
  hints: Tool["annotations"];
}

/** An agent reads and proposes acts on the platform; the app's own commands are people's. */
const agentNouns = Object.keys(nouns).filter((noun) => noun !== "rackbell");

export const toolSpecs = {
  search_operations: {
    title: "Search operations",
    description: "Finds the commands that you can read with or propose, with the schema of their input. Calls nothing.",
    input: z.strictObject({
      words: z.string().max(200).optional().describe("Words such as restart, invoice, snapshot. Leave it out for all"),
      noun: z.string().max(40).optional().describe(listing(agentNouns, "or")),
      risk: z.enum(["read", "change", "spend", "destroy"]).optional(),
      from: z
        .number()
        .int()
        .min(0)
        .max(10_000)
        .default(0)
        .describe("Skips so many, where an answer said that there are more"),
    }),
    output: z.object({ operations: z.array(FoundOperation), more: z.number() }),
    hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  read: {
    title: "Read",
    description: "Runs a command whose use is read, with the key of your owner. Changes nothing.",
    input: z.strictObject({ command, target, project, input }),
    output: AgentReadResult,
    hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  },
  propose: {
    title: "Propose",
    description:
      "Asks your owner in Slack to run a command whose use is propose. Nothing runs before a person decides, unless a rule of the workspace lets agents run the command. You can neither approve nor hurry it.",
    input: z.strictObject({
      command,
      target,
      project,
      input,
      targets: z.array(z.string().max(300)).min(1).max(100).optional().describe("Several resources in one request"),
      why: z.string().trim().min(1).max(mostWhy).describe("Your reason. People read it as your words"),
      key: z
        .string()
        .min(8)
        .max(200)
        .describe("Made by you, new for each proposal. Repeat it to repeat the same call safely"),
    }),
    output: RequestStatus,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
  request_status: {
    title: "Request status",
    description: "Shows the state and the outcome of a request that you proposed.",
    input: z.strictObject({ request }),
    output: RequestStatus,
    hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  withdraw: {
    title: "Withdraw",
    description: "Withdraws a request that you proposed and that nobody decided yet.",
    input: z.strictObject({ request }),
    output: RequestStatus,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
} satisfies Record<string, ToolSpec>;
export type ToolName = keyof typeof toolSpecs;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolSpecs, name);
}

const ObjectSchema = z.looseObject({ type: z.literal("object") });

function objectSchema(schema: z.ZodObject): Tool["inputSchema"] {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return ObjectSchema.parse(rest);
}

/** The tools, always the same and in the same order: a client can keep them. */
export const tools: Tool[] = Object.entries<ToolSpec>(toolSpecs).map(
  ([name, { title, description, input, output, hints }]) => {
    const schemas = { inputSchema: objectSchema(input), outputSchema: objectSchema(output) };
    return { name, title, description, annotations: { title, ...hints }, ...schemas };
  },
);
