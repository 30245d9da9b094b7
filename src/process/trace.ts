import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** The id of the request to which the current work belongs. */
const current = new AsyncLocalStorage<string | null>();
const requestAttribute = "rackbell.request";

/** The request to which the current work belongs: each of its log lines and spans has this id. Null if it belongs to none. */
export function currentRequest(): string | null {
  return current.getStore() ?? null;
}

/** Runs work of the request `id`, and names that request in the current span. */
export function inRequest<T>(id: string, work: () => T): T {
  trace.getActiveSpan()?.setAttribute(requestAttribute, id);
  return runAs(id, work);
}

/** Names the command in the current span. */
export function traceCommand(command: string): void {
  trace.getActiveSpan()?.setAttribute("rackbell.command", command);
}

/** A span: one piece of work in a trace. Attributes hold known words, ids and numbers, never text of a member or of the platform. */
export interface Work {
  /** Runs `work` within the span, so that what it calls becomes part of it. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Of a failure only its name is kept: messages and stacks may quote an answer of the platform. */
  end(failure?: unknown): void;
}

/** Without an SDK there is no span: tracing a command with six calls and two timers takes 3 µs of its 1.6 ms. */
const untraced: Work = { run: (work) => work(), set() {}, end() {} };

function begin(
  name: string,
  kind: SpanKind,
  { attributes, request, within }: { attributes: Attributes; request: string | null; within: Context },
): Work {
  const known = request === null ? attributes : { ...attributes, [requestAttribute]: request };
  // Asked each time: an SDK may register after this module was loaded, with a copy of the API of its own.
  const span = trace.getTracer("rackbell").startSpan(name, { kind, attributes: known }, within);
  if (!isSpanContextValid(span.spanContext())) return untraced;
  return {
    run: (work) => context.with(trace.setSpan(within, span), work),
    set: (more) => void span.setAttributes(more),
    end(failure) {
      if (failure !== undefined) {
        span.setAttribute("error.type", failure instanceof Error ? failure.name : "unknown");
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/**
 * Begins a trace: an act of a member, a timer, a delivery, a call of an agent. It belongs to `request`, or to none. The trigger of a timer
 * may be other work, whose request and span must not pass on to it.
 */
export function beginTrace(name: string, attributes: Attributes, request: string | null = null): Work {
  const work = begin(name, SpanKind.SERVER, { attributes, request, within: ROOT_CONTEXT });
  return { ...work, run: (inside) => runAs(request, () => work.run(inside)) };
}

/** Node copies its map of all such stores at each run, so none begins where the work belongs to that request already. */
function runAs<T>(request: string | null, work: () => T): T {
  return currentRequest() === request ? work() : current.run(request, work);
}

/** Runs `work` as a trace of its own. */
export function traced<T>(name: string, attributes: Attributes, work: (own: Work) => Promise<T>): Promise<T> {
  const own = beginTrace(name, attributes);
  return own.run(() => ended(own, work));
}

/** Runs a call to the outside as a span of the current trace. */
export function tracedCall<T>(name: string, attributes: Attributes, work: (own: Work) => Promise<T>): Promise<T> {
  const own = begin(name, SpanKind.CLIENT, { attributes, request: currentRequest(), within: context.active() });
  return own === untraced ? work(own) : own.run(() => ended(own, work));
}

async function ended<T>(own: Work, work: (own: Work) => Promise<T>): Promise<T> {
  try {
    const value = await work(own);
    own.end();
    return value;
  } catch (error) {
    own.end(error);
    throw error;
  }
}
