import type { IncomingMessage, ServerResponse } from "node:http";
import { isToBlame } from "../blocks/rollout.ts";
import { appendBounded } from "../wire/bounded.ts";
import type { ApiAnswer, ApiFault, FaultInjector } from "../wire/faults.ts";
import { isObject, type Json, parseJson, textAt } from "../wire/json.ts";
import type { Call, Workspace } from "../workspace/workspace.ts";
import type { Method, MethodContext } from "./method.ts";
import { methods } from "./methods.ts";
import { Refusal } from "./refusal.ts";

/** Answers one Web API call, and records the call and its refusal. Null where a fault has sent something by hand. */
export async function serveApi(
  name: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  body: Buffer,
  context: MethodContext,
  faults: FaultInjector,
): Promise<ApiAnswer | null> {
  const answer = await answerCall(name, { request, response }, body, context, faults);
  context.workspace.changed({ what: "call" });
  return answer;
}

async function answerCall(
  name: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  body: Buffer,
  context: MethodContext,
  faults: FaultInjector,
): Promise<ApiAnswer | null> {
  const { workspace } = context;
  const { token, args } = readCall(request, body);
  const call: Call = { method: name, args: structuredClone(args), outcome: "pending" };
  appendBounded(workspace.calls, call);
  workspace.changed({ what: "call" });
  const fault = faults.meet(name);
  if (fault?.kind === "hang") await fault.released;
  if (fault?.kind === "reset") request.socket.destroy();
  const injected = fault && injectedAnswer(fault);
  if (injected) {
    call.outcome = String(injected.body.error);
    return injected;
  }

  function own(): ApiAnswer {
    try {
      const method = allowed(name, token, args, workspace);
      const answer = method.handle(args, context);
      call.outcome = "ok";
      call.answer = answer;
      return { status: 200, headers: scopeHeader(workspace), body: { ok: true, ...answer } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      call.outcome = error.code;
      if (!overtaken.has(`${name} ${error.code}`) && isToBlame(error.reasons, workspace.withoutBlocks))
        workspace.violations.push({ method: name, error: error.code, reasons: error.reasons });
      return { status: 200, headers: scopeHeader(workspace), body: refused(error) };
    }
  }

  if (fault?.kind === "send") {
    fault.send(response, own, name);
    return null;
  }
  const answer = own();
  if (fault?.kind === "lose" && answer.body.ok === true) request.socket.destroy();
  return answer;
}

/** Answers to an update that a person, or another update, came before. Every app gets them at times: none is its mistake. */
const overtaken = new Set(["views.update hash_conflict", "views.update not_found"]);

function injectedAnswer(fault: ApiFault): ApiAnswer | undefined {
  switch (fault.kind) {
    case "rateLimit":
      return {
        status: 429,
        headers: { "retry-after": String(fault.seconds) },
        body: { ok: false, error: "ratelimited" },
      };
    case "fail":
      return { status: 200, body: { ok: false, error: fault.error } };
    case "reset":
      return { status: 500, body: { ok: false, error: "connection_reset" } };
    case "http":
      return { status: fault.status, body: { ok: false, error: "internal_error" } };
    case "lose":
    case "send":
    case "hang":
      return undefined;
  }
}

function allowed(name: string, token: string | undefined, args: Json, workspace: Workspace): Method {
  const method = methods[name];
  if (!method) throw new Refusal("unknown_method");
  if (token === undefined) throw new Refusal("not_authed");
  if (token !== workspace.botToken && token !== workspace.appToken) throw new Refusal("invalid_auth");
  const expected = method.token === "app" ? workspace.appToken : workspace.botToken;
  if (token !== expected) throw new Refusal("not_allowed_token_type");
  const scope = typeof method.scope === "function" ? method.scope(args, workspace) : method.scope;
  if (scope !== undefined && !workspace.scopes.has(scope)) {
    const provided = [...workspace.scopes].join(",");
    throw new Refusal("missing_scope", [], { needed: scope, provided });
  }
  return method;
}

function refused({ code, reasons, details }: Refusal): Json {
  const metadata = reasons.length > 0 && { errors: reasons.map(plainReason), response_metadata: { messages: reasons } };
  return { ok: false, error: code, ...details, ...metadata };
}

function plainReason(reason: string): string {
  return reason.replace("[ERROR] ", "");
}

function scopeHeader(workspace: Workspace): Record<string, string> {
  return { "x-oauth-scopes": [...workspace.scopes].join(",") };
}

const structured = ["blocks", "view", "metadata", "files", "attachments"];

function readCall(request: IncomingMessage, body: Buffer): { token: string | undefined; args: Json } {
  const { token, ...args } = readArgs(request.headers["content-type"] ?? "", body);
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  return { token: bearer ?? (typeof token === "string" ? token : undefined), args };
}

function readArgs(type: string, body: Buffer): Json {
  const text = body.toString();
  if (type.startsWith("application/json")) {
    const parsed = parseJson(text);
    return isObject(parsed) ? parsed : {};
  }
  const fields: Json = Object.fromEntries(new URLSearchParams(text));
  for (const name of structured) {
    const written = textAt(fields, name);
    if (written !== undefined) fields[name] = parseJson(written) ?? written;
  }
  return fields;
}
