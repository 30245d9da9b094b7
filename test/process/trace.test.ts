import { context, SpanKind, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { currentRequest, inRequest, traced } from "../../src/process/trace.ts";
import { connect, startResellerStory } from "../stories/reseller/selling.ts";
import { goAhead, type Story, startStory, withControl } from "../stories/story.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
// Other files run in the same process, and must not fill this memory.
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});

const refusal = (error: string) => ({ status: 409, body: { success: false, code: "CONFLICT", error } });
const spans = () => exporter.getFinishedSpans();
const requestOf = ({ attributes }: ReadableSpan) => attributes["rackbell.request"];

/** The first span of its trace that fits, once it has ended. */
function root(story: Story, name: string, attributes: Record<string, unknown> = {}): Promise<ReadableSpan> {
  const fits = (span: ReadableSpan) =>
    span.name === name &&
    span.parentSpanContext === undefined &&
    Object.entries(attributes).every(([key, value]) => span.attributes[key] === value);
  return story.slack.until(() => spans().find(fits), `a trace ${name} ${JSON.stringify(attributes)}`);
}

function partsOf(of: ReadableSpan): ReadableSpan[] {
  const { traceId, spanId } = of.spanContext();
  return spans().filter((span) => span.spanContext().traceId === traceId && span.parentSpanContext?.spanId === spanId);
}

test("a command is a trace with its calls of the platform and of Slack", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps show web-1", "is running");
  const command = await root(story, "command", { "rackbell.command": "vps show" });
  const parts = partsOf(command);
  const read = parts.find(({ name }) => name === "GET /vps/{id}");
  expect(read?.kind).toBe(SpanKind.CLIENT);
  expect(read?.attributes).toMatchObject({ "http.response.status_code": 200, "url.template": "/vps/{id}" });
  expect(parts.map(({ name }) => name)).toContain("Slack response_url");
});

test("a request keeps its id from the command over the press and the platform's write to the timers that post about it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/vps snapshot delete web-1 snapshot=weekly-1", "asks to");
  const id = requestOf(await root(story, "command", { "rackbell.command": "vps snapshot delete" }));
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  await ana.press(await withControl(ana, request, goAhead, story.slack.until), goAhead);
  const press = await root(story, "press", { "rackbell.request": id });
  const write = partsOf(press).find(({ name }) => name.startsWith("DELETE "));
  expect(write && requestOf(write)).toBe(id);
  const posted = await root(story, "timer", { "rackbell.timer": "notify:", "rackbell.request": id });
  expect(partsOf(posted).map(({ name }) => name)).toContain("Slack chat.postMessage");
});

test("the requests of two members never share an id, although the timers of one wake those of the other", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  await Promise.all([
    story.ask(story.ana, "/vps start web-2", "`web-2`"),
    story.ask(story.ben, "/vps start web-1", "`web-1`"),
  ]);
  const started = () => spans().filter(({ attributes }) => attributes["rackbell.command"] === "vps start");
  await story.slack.until(() => started().length === 2, "both commands to end");
  expect(new Set(started().map(requestOf)).size).toBe(2);
  for (const one of started()) {
    const parts = partsOf(one);
    expect(parts.some((part) => requestOf(part) === requestOf(one))).toBe(true);
    for (const part of parts) expect([undefined, requestOf(one)]).toContain(requestOf(part));
  }
  const timers = spans().filter(({ name }) => name === "timer");
  expect(timers.length).toBeGreaterThan(0);
  expect(timers.every(({ parentSpanContext }) => parentSpanContext === undefined)).toBe(true);
});

test("a line of the log that a request causes has the request's id", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, log } = story;
  const request = await story.ask(ana, "/vps snapshot delete web-1 snapshot=weekly-1", "asks to");
  platform.faults.next({ how: refusal("Busy"), method: "DELETE" });
  await story.pressing(ana, request, goAhead, "Busy");
  const id = requestOf(await root(story, "press"));
  const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "A request was not carried out");
  expect(lines.map((line) => line.request)).toEqual([id]);
  const failed = spans().find(({ name }) => name.startsWith("DELETE "));
  expect(failed?.attributes).toMatchObject({ "error.type": "PlatformRefused", "http.response.status_code": 409 });
});

test("a delivery of the platform is a trace with its outcome", async () => {
  const story = await startResellerStory({ connected: false });
  await connect(story, story.ana);
  await fetch(`${story.app.url}/webhooks/reseller/${story.slack.teamId}`, {
    method: "POST",
    headers: { "x-webhook-signature": `hmac-sha256=${"0".repeat(64)}` },
    body: "{}",
  });
  await root(story, "webhook", { "rackbell.outcome": "forged" });
});

test("no span holds what a member typed, what the platform answered, or a secret", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, secrets } = story;
  await story.ask(ana, "/vps show no-such-machine", "no-such-machine");
  platform.faults.next({ how: refusal("Words of the platform"), path: "/vps", times: 5 });
  await story.ask(ana, "/vps list", "Words of the platform");
  await root(story, "command", { "rackbell.command": "vps list" });
  const exported = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  for (const word of ["no-such-machine", "Words of the platform", ...secrets]) expect(exported).not.toContain(word);
});

test("a timer that a request wakes belongs to no request, until it says to which", async () => {
  const seen: (string | null)[] = [];
  await inRequest("first", () =>
    traced("timer", {}, async () => {
      seen.push(currentRequest());
      inRequest("second", () => seen.push(currentRequest()));
    }),
  );
  expect(seen).toEqual([null, "second"]);
});
