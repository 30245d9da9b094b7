import { createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";
import { systemClock } from "../../process/clock.ts";
import type { World } from "./the-world.ts";

/** A slash command as somebody types it. */
export interface Typed {
  command: string;
  text: string;
  user: string;
  channel: string;
}

export interface Acknowledged {
  status: number;
  body: string;
  ms: number;
}

/** Slack's side of the wire to one subject: signed posts over connections that stay open. */
export interface Slack {
  type(typed: Typed, trigger?: string): Promise<Acknowledged>;
  interact(payload: object): Promise<Acknowledged>;
  /** An event of the Events API. */
  event(event: object): Promise<Acknowledged>;
  close(): Promise<void>;
}

export function createSlack(url: string, signingSecret: string, world: World): Slack {
  const path = "/slack/events";
  const pool = new Pool(url, { connections: 64, keepAliveTimeout: 60_000 });

  function post(fields: Record<string, string>): Promise<Acknowledged> {
    return send(new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");
  }

  async function send(body: string, type: string): Promise<Acknowledged> {
    const timestamp = String(Math.floor(systemClock.now() / 1_000));
    const signature = createHmac("sha256", signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
    const headers = {
      "content-type": type,
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signature}`,
    };
    const began = performance.now();
    const answer = await pool.request({ path, method: "POST", headers, body });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text, ms: performance.now() - began };
  }

  return {
    type({ command, text, user, channel }, trigger = "") {
      return post({
        token: "legacy",
        team_id: "T0BENCH",
        team_domain: "bench",
        api_app_id: "A0BENCH",
        is_enterprise_install: "false",
        channel_name: "ops",
        user_name: user,
        command,
        text,
        user_id: user,
        channel_id: channel,
        trigger_id: trigger,
        response_url: world.answerUrl(channel),
      });
    },
    event(event) {
      const envelope = { token: "legacy", team_id: "T0BENCH", api_app_id: "A0BENCH", type: "event_callback" };
      const payload = { ...envelope, event_id: `Ev${randomUUID()}`, event_time: 1, authorizations: [], event };
      return send(JSON.stringify(payload), "application/json");
    },
    interact: (payload) => post({ payload: JSON.stringify(payload) }),
    close: () => pool.close(),
  };
}

const answerLimit = 15_000;

/** Types a command and waits for its acknowledgement (`ackMs`) and its answer (`ms`). Rejects when one is missing. */
export async function ask(
  slack: Slack,
  world: World,
  typed: Typed,
): Promise<{ text: string; ms: number; ackMs: number }> {
  const began = performance.now();
  const answer = world.answerIn(typed.channel);
  const ackMs = acknowledged(typed, await slack.type(typed));
  const text = await inTime(answer, `${typed.command} ${typed.text} had no answer`);
  return { text, ms: performance.now() - began, ackMs };
}

/** The time of an acknowledgement; throws when the app did not acknowledge, or said that it is busy. */
export function acknowledged({ command, text }: Typed, { status, body, ms }: Acknowledged): number {
  if (status !== 200 || body !== "") throw new Error(`${command} ${text} was met with ${status} ${body}`);
  return ms;
}

/** Rejects with `fault` when it takes too long. */
export function inTime<T>(work: Promise<T>, fault: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = systemClock.after(answerLimit, () => reject(new Error(`${fault} in ${answerLimit} ms`)));
    work.then(resolve, reject).finally(callOff);
  });
}
