import type { ExchangeFailed } from "../../process/exchange.ts";
import { concealSecrets } from "./conceal.ts";
import { type HttpCall, PlatformOffContract, PlatformTooLate, PlatformUnanswered } from "./errors.ts";

/** The platform's error for an exchange without a whole answer. Its cause repeats no secret. */
export function failureOf(
  { failing, sent, status, cause }: ExchangeFailed,
  call: HttpCall & { secrets: readonly string[] },
  { limitMs, mostBytes }: { limitMs: number; mostBytes: number },
): PlatformTooLate | PlatformOffContract | PlatformUnanswered {
  const concealed = cause === undefined ? undefined : concealSecrets(cause, call.secrets);
  const offContract = (problem: string) => new PlatformOffContract(call, { status, problem, cause: concealed });
  if (failing === "too late" || failing === "no connection in time")
    return new PlatformTooLate(call, sent, limitMs, concealed);
  if (failing === "too long") return offContract(`The answer is longer than ${mostBytes} bytes.`);
  if (failing === "broken off") return offContract("The answer was cut off.");
  if (failing === "no HTTP") return offContract("The answer is not proper HTTP.");
  return new PlatformUnanswered(call, sent, concealed);
}
