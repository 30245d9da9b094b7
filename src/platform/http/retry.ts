import { type Clock, sleep } from "../../process/clock.ts";
import { PlatformOffContract, PlatformRefused, PlatformUnanswered } from "./errors.ts";

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;

/** Tries a read up to three times, while the pauses fit into `patienceMs`. `tryOnce` gets the number of the try, from 1. Never use it for a write. */
export async function retryRead<T>(
  clock: Clock,
  patienceMs: number,
  tryOnce: (attempt: number) => Promise<T>,
): Promise<T> {
  const deadline = clock.monotonic() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryOnce(attempt);
    } catch (error) {
      const pause = pauseAfter(error, attempt);
      if (pause === undefined || (pause > 0 && clock.monotonic() + pause > deadline)) throw error;
      if (pause > 0) await sleep(clock, pause);
    }
  }
}

/** The pause before the next try in ms, or undefined for no further try. */
function pauseAfter(error: unknown, attempt: number): number | undefined {
  if (attempt >= ATTEMPTS) return undefined;
  // A request on a keep-alive connection that the server has just closed fails so. One more try is enough: it gets its own connection.
  if (error instanceof PlatformUnanswered) return error.sent && attempt === 1 ? 0 : undefined;
  if (!(error instanceof PlatformRefused || error instanceof PlatformOffContract)) return undefined;
  const { status = 0, retryAfterSeconds } = error;
  if (status !== 429 && status < 500) return undefined;
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000;
  return status === 429 ? undefined : FIRST_PAUSE_MS * 2 ** (attempt - 1);
}
