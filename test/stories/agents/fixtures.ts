// The server for agents with all that the conformance suite asks of a server beside our own tools: fixed answers of each kind of content,
// resources, prompts, and tools that ask their client for something. Its jobs are proposals of ours, which a member decides in Slack.

import { randomBytes, randomUUID } from "node:crypto";
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
  type TextResourceContents,
  type Tool,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ServeAgent } from "../../../src/web/mcp/endpoint.ts";
import { callTool, createAgentServer } from "../../../src/web/mcp/server.ts";
import { tools } from "../../../src/web/mcp/tools.ts";

type Answer = CallToolResult | InputRequiredResult;
type Fixture = (context: ServerContext, args: Record<string, unknown>) => Answer | Promise<Answer>;

/** A red pixel, and a sound of no length. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const image = { type: "image" as const, data: pixel, mimeType: "image/png" };
const text = (words: string) => ({ type: "text" as const, text: words });
const answer = (...content: CallToolResult["content"]): CallToolResult => ({ content });

function embedded(uri: string, words: string) {
  return { type: "resource" as const, resource: { uri, mimeType: "text/plain", text: words } };
}

/** Asks the client's person for one value. */
function asking(name: string, value: { type: "string" } | { type: "boolean" } = { type: "string" }) {
  return inputRequired.elicit({
    message: `Please give ${name}.`,
    requestedSchema: { type: "object", properties: { [name]: value }, required: [name] },
  });
}

const sampling = inputRequired.createMessage({
  messages: [{ role: "user", content: text("What is the capital of France?") }],
  maxTokens: 100,
});

const states = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

/** The round that the client's state proves; 0 without a state. */
async function roundOf(context: ServerContext): Promise<number> {
  const state = context.mcpReq.requestState<string>();
  if (state === undefined) return 0;
  const { round } = await states.verify(state, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Another server wrote this state.");
  });
  return round;
}

const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.record(z.string(), z.unknown()).default({}) });

function capabilitiesOf({ mcpReq }: ServerContext): Record<string, unknown> {
  return Envelope.parse(mcpReq.envelope ?? {})[CLIENT_CAPABILITIES_META_KEY];
}

/** Asks the client's person for a name until there is one. */
function greeted({ mcpReq }: ServerContext): Answer {
  const name = acceptedContent(mcpReq.inputResponses, "user_name")?.name;
  if (typeof name === "string") return answer(text(`Hello, ${name}!`));
  return inputRequired({ inputRequests: { user_name: asking("name") } });
}

/** Asks the client's person to confirm, and takes the confirmation together with the state alone. */
async function confirmed(context: ServerContext): Promise<Answer> {
  if ((await roundOf(context)) === 1 && acceptedContent(context.mcpReq.inputResponses, "confirm"))
    return answer(text("state-ok"));
  return inputRequired({
    inputRequests: { confirm: asking("ok", { type: "boolean" }) },
    requestState: await states.mint({ round: 1 }),
  });
}

const fixtures: Record<string, Fixture> = {
  test_simple_text: () => answer(text("Some words")),
  test_image_content: () => answer(image),
  test_audio_content: () => answer({ type: "audio", data: silence, mimeType: "audio/wav" }),
  test_embedded_resource: () => answer(embedded("test://embedded-resource", "Embedded words")),
  test_multiple_content_types: () => answer(text("Some words"), image, embedded("test://mixed", "Embedded words")),
  async test_tool_with_progress({ mcpReq }) {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    return answer(text("Done"));
  },
  async test_streaming_elicitation({ mcpReq }) {
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken: "streamed", progress: 1 } });
    return answer(text("Done"));
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log("info", "Only for a client that asked for a log level");
    return answer(text("Done"));
  },
  json_schema_2020_12_tool: () => answer(text("Done")),
  greet: (_, { name }) => answer(text(`Hello, ${String(name)}!`)),
  test_missing_capability(context) {
    if (!capabilitiesOf(context).sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return answer(text("Done"));
  },
  test_input_required_result_elicitation: greeted,
  test_input_required_result_sampling({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, "capital_question");
    if (given.kind === "sampling") return answer(text("Sampled"));
    return inputRequired({ inputRequests: { capital_question: sampling } });
  },
  test_input_required_result_list_roots({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, "client_roots");
    if (given.kind === "roots") return answer(...given.roots.map(({ uri }) => text(uri)));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  async test_input_required_result_multiple_inputs(context) {
    const given = ["user_name", "greeting", "client_roots"].map((key) =>
      inputResponse(context.mcpReq.inputResponses, key),
    );
    if ((await roundOf(context)) === 1 && given.every(({ kind }) => kind !== "missing")) return answer(text("Done"));
    return inputRequired({
      inputRequests: { user_name: asking("name"), greeting: sampling, client_roots: inputRequired.listRoots() },
      requestState: await states.mint({ round: 1 }),
    });
  },
  async test_input_required_result_multi_round(context) {
    const round = await roundOf(context);
    if (round === 2) return answer(text("Done"));
    return inputRequired({
      inputRequests: { [`step${round + 1}`]: asking(round === 0 ? "name" : "color") },
      requestState: await states.mint({ round: round + 1 }),
    });
  },
  test_input_required_result_capabilities(context) {
    const { elicitation, sampling: samples, roots } = capabilitiesOf(context);
    const inputRequests: InputRequests = {
      ...(elicitation !== undefined && { user_name: asking("name") }),
      ...(samples !== undefined && { greeting: sampling }),
      ...(roots !== undefined && { client_roots: inputRequired.listRoots() }),
    };
    const isAnswered = context.mcpReq.inputResponses !== undefined || Object.keys(inputRequests).length === 0;
    return isAnswered ? answer(text("Done")) : inputRequired({ inputRequests });
  },
};

/** The names under which the suite calls a job: each is a proposal of ours. */
const jobs = ["slow_compute", "failing_job", "confirm_delete"];

const anyObject: Tool["inputSchema"] = { type: "object", properties: {} };
/** All that JSON Schema 2020-12 allows in an input must reach the client. */
const wideSchema: Tool["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const listed: Tool[] = [...Object.keys(fixtures), "test_error_handling", ...jobs].map((name) => ({
  name,
  description: "For the conformance suite",
  inputSchema: name === "json_schema_2020_12_tool" ? wideSchema : anyObject,
}));

const user = <C>(content: C) => ({ role: "user" as const, content });

const prompts: Record<
  string,
  (context: ServerContext, args: Record<string, string>) => GetPromptResult | InputRequiredResult
> = {
  test_simple_prompt: () => ({ messages: [user(text("Some words"))] }),
  test_prompt_with_arguments: (_, { arg1, arg2 }) => ({ messages: [user(text(`${arg1} and ${arg2}`))] }),
  test_prompt_with_embedded_resource: (_, { resourceUri = "" }) => ({
    messages: [user(embedded(resourceUri, "Embedded words")), user(text("Read it"))],
  }),
  test_prompt_with_image: () => ({ messages: [user(image), user(text("See it"))] }),
  test_input_required_result_prompt({ mcpReq }) {
    const context = acceptedContent(mcpReq.inputResponses, "user_context")?.context;
    if (typeof context === "string") return { messages: [user(text(context))] };
    return inputRequired({ inputRequests: { user_context: asking("context") } });
  },
};
const promptArguments: Record<string, string[]> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

const resources = ["test://static-text", "test://static-binary"];
const template = "test://template/{id}/data";

/** A resource's content; undefined if there is none under this address. */
function resourceAt(uri: string): TextResourceContents | { uri: string; mimeType: string; blob: string } | undefined {
  if (uri === "test://static-text") return { uri, mimeType: "text/plain", text: "Some words" };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  return id === undefined ? undefined : { uri, mimeType: "application/json", text: JSON.stringify({ id, uri }) };
}

/** A proposal of the suite, and the seconds after which its member decides it. */
export interface SuiteJob {
  why: string;
  seconds: number;
}

/** `onJob` hears of each proposal, so that a member presses. */
export function fixtureServer(onJob: (job: SuiteJob) => void): ServeAgent {
  let count = 0;
  return (app, caller) => {
    const server = createAgentServer(app, caller);
    server.registerCapabilities({ resources: {}, prompts: {}, completions: {}, logging: {} });
    server.setRequestHandler("tools/list", () => ({ tools: [...tools, ...listed] }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const { name, arguments: args = {} } = params;
      const fixture = Object.hasOwn(fixtures, name) ? fixtures[name] : undefined;
      if (fixture) return fixture(context, args);
      if (name === "test_error_handling")
        return callTool(app, caller, { name: "request_status", arguments: { request: randomUUID() } }, context);
      if (!jobs.includes(name)) return callTool(app, caller, params, context);
      count += 1;
      const why = `Call ${count} of the suite.`;
      const proposed = { command: "project create", input: { name: `Project ${count}` }, why, key: why };
      const answered = await callTool(app, caller, { name: "propose", arguments: proposed }, context);
      if (!answered.isError) onJob({ why, seconds: Number(args.seconds ?? 0) });
      return answered;
    });
    server.setRequestHandler("resources/list", () => ({ resources: resources.map((uri) => ({ uri, name: uri })) }));
    server.setRequestHandler("resources/templates/list", () => ({
      resourceTemplates: [{ uriTemplate: template, name: "template" }],
    }));
    server.setRequestHandler("resources/read", ({ params }) => {
      const found = resourceAt(params.uri);
      if (!found) throw new ResourceNotFoundError(params.uri);
      return { contents: [found] };
    });
    server.setRequestHandler("prompts/list", () => ({
      prompts: Object.keys(prompts).map((name) => ({
        name,
        description: "For the conformance suite",
        arguments: (promptArguments[name] ?? []).map((argument) => ({ name: argument, required: true })),
      })),
    }));
    server.setRequestHandler("prompts/get", ({ params }, context) => {
      const prompt = Object.hasOwn(prompts, params.name) ? prompts[params.name] : undefined;
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no prompt of this name.");
      return prompt(context, params.arguments ?? {});
    });
    server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
    return server;
  };
}
