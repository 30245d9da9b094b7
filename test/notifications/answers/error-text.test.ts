import { describe, expect, test } from "vitest";
import { errorText, keyOf, mayComeAgain, outcomeUnknown } from "../../../src/access/errors/error-text.ts";
import { InputError, Refusal } from "../../../src/operation/errors.ts";
import {
  type HttpCall,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
  PlatformUnanswered,
} from "../../../src/platform/http/errors.ts";

const now = Date.parse("2026-11-21T01:00:00Z");
const read = { api: "customer", method: "GET", path: "/vps" } as const;
const write = { api: "customer", method: "POST", path: "/vps/1/reboot" } as const;

function refusal(call: HttpCall, status: number, code: string, more: object = {}) {
  return new PlatformRefused(call, { status, code, reason: "It said <!channel> *so*", ...more });
}

const unknown = [
  ["500", refusal(write, 500, "INTERNAL_ERROR")],
  ["503 with a time", refusal(write, 503, "UNAVAILABLE", { retryAfterSeconds: 60 })],
  ["an answer off the contract", new PlatformOffContract(write, { status: 200, problem: "not JSON" })],
  ["silence", new PlatformTooLate(write, true, 30_000)],
  ["a reset", new PlatformUnanswered(write, true)],
] as const;

test.each(unknown)("after %s on a write nobody is told to try again, nor that nothing changed", (_, error) => {
  const { text } = errorText(error, now);
  expect(outcomeUnknown(error)).toBe(true);
  expect(text).toContain("not known");
  expect(text).not.toMatch(/[Tt]ry again|tried again|[Nn]othing changed/);
});

const certain = [
  ["a refusal", refusal(write, 409, "CONFLICT")],
  ["a read that failed", refusal(read, 500, "INTERNAL_ERROR")],
  ["a read that was late", new PlatformTooLate(read, true, 10_000)],
  ["a write that never left", new PlatformUnanswered(write, false)],
] as const;

test.each(certain)("after %s it is told that nothing changed", (_, error) => {
  expect(outcomeUnknown(error)).toBe(false);
  expect(errorText(error, now).text).toMatch(/[Nn]othing changed/);
});

test("only what was refused for now may come again", () => {
  expect(mayComeAgain(refusal(write, 429, "ACTION_RATE_LIMITED"))).toBe(true);
  expect(mayComeAgain(refusal(write, 409, "CONFLICT"))).toBe(true);
  expect(mayComeAgain(refusal(write, 400, "BAD_REQUEST"))).toBe(false);
  expect(mayComeAgain(new PlatformTooLate(write, true, 30_000))).toBe(false);
});

describe("the words", () => {
  test("of the platform ring nobody and format nothing", () => {
    const { text } = errorText(
      refusal(write, 400, "BAD_REQUEST", { details: [{ field: "<!here>", message: "*no*" }] }),
      now,
    );
    expect(text).not.toMatch(/<!(channel|here)|\*so\*|\*no\*/);
    expect(text).toContain("&lt;!channel&gt;");
  });

  test("of a cool-down give the time, in the reader's own zone", () => {
    const { text, again } = errorText(refusal(write, 429, "ACTION_RATE_LIMITED", { retryAfterSeconds: 90 }), now);
    expect(again).toBe(now + 90_000);
    expect(text).toContain(`<!date^${(now + 90_000) / 1000}^`);
  });

  test("about a key name whose it is, and offer to link only to its owner", () => {
    const error = refusal(write, 401, "UNAUTHORIZED", { auth: "key rejected" });
    expect(errorText(error, now).text).toContain("your key");
    expect(errorText(error, now).next).toHaveLength(1);
    expect(errorText(error, now, keyOf("U1")).text).toContain("the key of <@U1>");
    expect(errorText(error, now, keyOf("U1")).next).toEqual([]);
  });

  test("of a fault inside say no more than is true, and nothing of it", () => {
    const { text } = errorText(new Error("SELECT secret FROM keys at /work/x.ts:3"), now);
    expect(text).not.toMatch(/SELECT|work|nothing/i);
    expect(text).toContain("look whether it was made");
  });

  test("of the member's own mistakes are theirs", () => {
    expect(errorText(new InputError("Name: <@U1> is no name."), now).text).toBe("Name: &lt;@U1&gt; is no name.");
    expect(errorText(new Refusal("Only <@U1> can."), now).text).toBe("Only <@U1> can.");
  });
});
