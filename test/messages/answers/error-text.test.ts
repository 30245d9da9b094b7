import { describe, expect, test } from "vitest";
import { errorText, mayComeAgain, outcomeUnknown, whoseKey } from "../../../src/messages/answers/error-text.ts";
import { SlackRefused } from "../../../src/messages/chat/errors.ts";
import { InputError, Refusal } from "../../../src/operation/errors.ts";
import {
  type HttpCall,
  PlatformOffContract,
  PlatformRefused,
  PlatformTooLate,
  PlatformUnanswered,
} from "../../../src/platform/http/errors.ts";

const now = Date.parse("2026-11-21T01:00:00Z");
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

test.each(unknown)("after %s on a write no message says to try again, nor that nothing changed", (_, error) => {
  const { text } = errorText(error, now);
  expect(outcomeUnknown(error)).toBe(true);
  expect(text).toContain("outcome is unknown");
  expect(text).not.toMatch(/[Tt]ry again|tried again|[Nn]othing changed/);
});

const certain = [
  ["a refusal", refusal(write, 409, "CONFLICT")],
  ["a write that never left", new PlatformUnanswered(write, false)],
] as const;

test.each(certain)("after %s the message says that nothing changed", (_, error) => {
  expect(outcomeUnknown(error)).toBe(false);
  expect(errorText(error, now).text).toMatch(/[Nn]othing changed/);
});

/** The codes of the customer spec's section 7, and the ways in which an authentication fails. */
const codes = [
  ...["SCOPE_REQUIRED", "ACCOUNT_SUSPENDED", "FEATURE_DISABLED", "PERMISSION_DENIED", "PROJECT_SCOPE_MISMATCH"],
  ...["UNKNOWN_PROJECT", "RATE_LIMITED", "ACTION_RATE_LIMITED", "game.module_disabled", "game.server_not_found"],
  ...["game.capability.runtime_stubbed", "game.power_action_unknown", "NOT_FOUND", "SOMETHING_NEW"],
];
const auths = ["key rejected", "signature missing", "signature wrong", "signature malformed", "clock off"] as const;
const statuses = [400, 401, 403, 404, 409, 422, 424, 429, 500, 502, 503];

test("a refusal without a reason says so, and calls it no name", () => {
  for (const api of ["customer", "reseller"] as const)
    for (const status of statuses)
      for (const code of codes) {
        const { text } = errorText(refusal({ ...write, api }, status, code, { reason: " " }), now);
        expect(text).not.toMatch(/\(no (name|text)\)|: [.:]/);
      }
  expect(errorText(refusal(write, 409, "CONFLICT", { reason: " " }), now).text).toBe(
    "The platform said no: the platform gave no reason. Nothing changed.",
  );
});

test("a read never says what it left unchanged: it could change nothing", () => {
  for (const api of ["customer", "reseller"] as const) {
    const call = { api, method: "GET", path: "/services/1/backups" };
    const refusals = statuses.flatMap((status) => [
      ...codes.map((code) => refusal(call, status, code)),
      ...auths.map((auth) => refusal(call, 401, "UNAUTHORIZED", { auth })),
    ]);
    const silences = [new PlatformTooLate(call, true, 10_000), new PlatformUnanswered(call, true)];
    for (const error of [
      ...refusals,
      ...silences,
      new PlatformOffContract(call, { status: 200, problem: "not JSON" }),
    ]) {
      expect(outcomeUnknown(error)).toBe(false);
      expect(errorText(error, now).text).not.toMatch(/nothing (was )?(changed|charged|run\b|sent)|is unknown/i);
    }
  }
});

test("a refused write always says what it left unchanged", () => {
  for (const api of ["customer", "reseller"] as const)
    for (const status of statuses.filter((one) => one < 500 && one !== 424))
      for (const code of codes)
        expect(errorText(refusal({ api, method: "POST", path: "/vps/1/reboot" }, status, code), now).text).toMatch(
          /Nothing changed\./,
        );
});

test("only what was refused for now may come again", () => {
  expect(mayComeAgain(refusal(write, 429, "ACTION_RATE_LIMITED"))).toBe(true);
  expect(mayComeAgain(refusal(write, 409, "CONFLICT"))).toBe(true);
  expect(mayComeAgain(refusal(write, 400, "BAD_REQUEST"))).toBe(false);
  expect(mayComeAgain(new PlatformTooLate(write, true, 30_000))).toBe(false);
});

describe("the words", () => {
  test("of the platform mention nobody and format nothing", () => {
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
    expect(errorText(error, now, whoseKey("U1")).text).toContain("the key of <@U1>");
    expect(errorText(error, now, whoseKey("U1")).next).toEqual([]);
  });

  test("of a fault inside say no more than is true, and nothing of it", () => {
    const { text } = errorText(new Error("SELECT secret FROM keys at /work/x.ts:3"), now);
    expect(text).not.toMatch(/SELECT|work|nothing/i);
    expect(text).toContain("check whether it was made");
  });

  test("of the member's own mistakes are theirs", () => {
    expect(errorText(new InputError("Name: <@U1> is no name."), now).text).toBe("Name: &lt;@U1&gt; is no name.");
    expect(errorText(new Refusal("Only <@U1> can."), now).text).toBe("Only <@U1> can.");
  });
});

test("a refusal of Slack's is said to be Slack's, with its code for the admin, and no fault inside Rackbell", () => {
  const { text } = errorText(new SlackRefused("files.getUploadURLExternal", "team_added_to_org"), now);
  expect(text).toContain("Slack refused");
  expect(text).toContain("`team_added_to_org`");
  expect(text).not.toContain("inside Rackbell");
});
