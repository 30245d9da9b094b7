import { createHmac } from "node:crypto";
import { systemClock } from "../../../process/clock.ts";
import { isObject, type Json, parseJson } from "../wire/json.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DeliveryResult, Envelope } from "./envelope.ts";

const patience = 3_000;

/** Posts a payload to the app as Slack does without Socket Mode, signed with the `v0` scheme. */
export async function postSigned(target: string, envelope: Envelope, workspace: Workspace): Promise<DeliveryResult> {
  const body = bodyOf(envelope);
  const timestamp = String(Math.floor(workspace.clock.now() / 1_000));
  const signature = createHmac("sha256", workspace.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
  const abort = new AbortController();
  const callOff = systemClock.after(patience, () => abort.abort());
  try {
    const response = await fetch(target, {
      method: "POST",
      redirect: "manual",
      signal: abort.signal,
      headers: {
        "content-type": envelope.type === "events_api" ? "application/json" : "application/x-www-form-urlencoded",
        "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": `v0=${signature}`,
        ...(envelope.retry && {
          "x-slack-retry-num": String(envelope.retry.attempt),
          "x-slack-retry-reason": envelope.retry.reason,
        }),
      },
      body,
    });
    return await resultOf(response);
  } catch {
    if (abort.signal.aborted) return { acked: false, error: "operation_timeout", reason: "http_timeout" };
    return { acked: false, error: "dispatch_failed", reason: "connection_failed" };
  } finally {
    callOff();
  }
}

function bodyOf({ type, payload }: Envelope): string {
  if (type === "events_api") return JSON.stringify(payload);
  if (type === "interactive") return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const fields = Object.entries(payload).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

async function resultOf(response: Response): Promise<DeliveryResult> {
  const text = await response.text();
  if (response.status !== 200) {
    const noRetry = response.headers.get("x-slack-no-retry") === "1";
    return { acked: false, error: "dispatch_failed", reason: "http_error", noRetry };
  }
  return { acked: true, answer: answerIn(text) };
}

function answerIn(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : { text };
}
