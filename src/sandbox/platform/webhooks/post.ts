import { request } from "node:http";
import type { Clock } from "../../../process/clock.ts";

const answerWithin = 30_000;
const mostRead = 65_536;
/** Milliseconds of real time: if a test lets an hour pass in a moment, a delivery that is on its way still arrives. */
const grace = 500;

interface Post {
  clock: Clock;
  url: URL;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/**
 * Posts once, and follows nothing. Gives why it failed, or null where it was answered by 2xx within 30 seconds; of the answer
 * at most 64 KB are read.
 */
export function post({ clock, url, headers, body, signal }: Post): Promise<string | null> {
  return new Promise((resolve) => {
    let late: NodeJS.Timeout | undefined;
    const callOff = clock.after(answerWithin, () => {
      late = setTimeout(() => sending.destroy(new Error("No answer within 30 seconds")), grace);
    });
    function end(why: string | null): void {
      callOff();
      clearTimeout(late);
      resolve(why);
    }
    // Use a new connection: the receiver may have closed an older one before the next run.
    const sending = request(url, { method: "POST", headers, agent: false, signal }, (answer) => {
      const { statusCode = 0 } = answer;
      const outcome = statusCode >= 200 && statusCode < 300 ? null : `Answered with ${statusCode}`;
      let read = 0;
      answer.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read < mostRead) return;
        end(outcome);
        answer.destroy();
      });
      answer.on("end", () => end(outcome));
      answer.on("error", ({ message }) => end(message));
    });
    sending.on("error", ({ message }) => end(message));
    sending.end(body);
  });
}
