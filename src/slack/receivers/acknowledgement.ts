import type { ServerResponse } from "node:http";
import { ReceiverMultipleAckError } from "@slack/bolt";

/** The one HTTP answer to one request: an acknowledgement or a failure. */
export interface Acknowledgement {
  /** A second call rejects. After `fail` it has no effect. */
  ack(body?: unknown): Promise<void>;
  /** Answers with a failure and returns true, unless the request was answered before. */
  fail(status: number, headers?: Record<string, string>): boolean;
}

/** Calls `onAnswered` once, with the answer. */
export function createAcknowledgement(response: ServerResponse, onAnswered: () => void): Acknowledgement {
  let acknowledged = false;
  let answered = false;

  function answer(status: number, headers: Record<string, string>, content: string): boolean {
    if (answered) return false;
    answered = true;
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(content) });
    response.end(content);
    onAnswered();
    return true;
  }

  return {
    async ack(body) {
      if (acknowledged) throw new ReceiverMultipleAckError();
      const { headers, content } = contentOf(body);
      acknowledged = true;
      answer(200, headers, content);
    },
    fail: (status, headers = {}) => answer(status, headers, ""),
  };
}

function contentOf(body: unknown): { headers: Record<string, string>; content: string } {
  if (body === undefined || body === null || body === "") return { headers: {}, content: "" };
  if (typeof body === "string") return { headers: { "content-type": "text/plain; charset=utf-8" }, content: body };
  return { headers: { "content-type": "application/json; charset=utf-8" }, content: JSON.stringify(body) };
}
