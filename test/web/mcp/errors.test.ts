import { expect, test } from "vitest";
import { linkStep } from "../../../src/members/access/access.ts";
import { Refusal } from "../../../src/operation/errors.ts";
import { type AuthProblem, PlatformRefused, type RefusalFacts } from "../../../src/platform/http/errors.ts";
import { agentSentence, unmarkedText } from "../../../src/web/mcp/errors.ts";

const problems: AuthProblem[] = [
  ...(["key rejected", "signature missing", "signature wrong"] as const),
  ...(["signature malformed", "clock off", "secret not configured"] as const),
];
const codes = [
  ...["SCOPE_REQUIRED", "ACCOUNT_SUSPENDED", "PERMISSION_DENIED", "FEATURE_DISABLED", "UNKNOWN_PROJECT"],
  ...["INSUFFICIENT_CREDIT", "RATE_LIMITED", "NOT_FOUND", "VALIDATION_ERROR"],
];

/** Each refusal that is about the key or its account, and some that are about neither. */
function refusals(): RefusalFacts[] {
  return [
    ...problems.map((auth) => ({ status: auth === "key rejected" ? 401 : 403, reason: "No.", auth })),
    ...codes.flatMap((code) => [403, 422].map((status) => ({ status, reason: "No.", code }))),
    { status: 403, reason: "No.", scope: "cancel" },
    { status: 429, reason: "Slower.", retryAfterSeconds: 60 },
  ];
}

test("a refusal of the platform speaks to the agent: the key and the account are its owner's, and it can link none", () => {
  for (const api of ["customer", "reseller"] as const)
    for (const method of ["GET", "POST"])
      for (const facts of refusals()) {
        const words = agentSentence(new PlatformRefused({ api, method, path: "/vps" }, facts), 0);
        expect.soft(words, JSON.stringify(facts)).not.toMatch(/\byour (?!owner)|\byou have|\bLink a key/i);
      }
  const rejected = new PlatformRefused(
    { api: "customer", method: "GET", path: "/vps" },
    { status: 401, reason: "No.", auth: "key rejected" },
  );
  expect(agentSentence(rejected, 0)).toContain("the key of your owner");
});

test("a name in a refusal is the one that the agent can use again, and a link or a mention is an address or an id", () => {
  expect(agentSentence(new Refusal("`web*-1` has `2001:db8::beef:1`."), 0)).toBe("web*-1 has 2001:db8::beef:1.");
  expect(unmarkedText("<@U1> in <#C1|ops>: <https://panel.example/?a=1&amp;b=2|the panel>")).toBe(
    "U1 in C1: https://panel.example/?a=1&b=2",
  );
});

test("a step that a member would be offered is one to ask the owner for", () => {
  const steps = [linkStep, linkStep, { label: "Show", command: "vps show" }];
  expect(agentSentence(new Refusal("It needs another key.", steps), 0)).toBe(
    "It needs another key. Ask your owner: /rackbell link or /vps show in Slack may help.",
  );
  expect(agentSentence(new Refusal("It has ended."), 0)).toBe("It has ended.");
});
