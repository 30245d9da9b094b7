import type { ServerResponse } from "node:http";
import { ReceiverMultipleAckError } from "@slack/bolt";

/** The one answer to one request: what a listener acknowledges with, or the failure to. */
export interface Acknowledgement {
  /** A second one rejects. One that comes after the request was answered otherwise goes nowhere. */
  ack(body?: unknown): Promise<void>;
  /** Answers with a failure, unless it was answered; true where that was so. */
  fail(status: number, headers?: Record<string, string>): boolean;
}

/** `onAnswered` is called once. */
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
