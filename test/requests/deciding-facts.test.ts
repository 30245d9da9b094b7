import { expect, test } from "vitest";
import { untaken } from "../../src/policy/responsibility/responsibility.ts";
import { pendingMessage } from "../../src/requests/pending-view.ts";
import type { Request } from "../../src/requests/request.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { requestOf } from "./requests.ts";

const long = "The platform has a long story about it, which is the same on each of the days of each of its years.";
const few = Array.from({ length: 6 }, (_, at) => ({ label: `Short ${at}`, value: `value-${at}` }));

/** The card of a request with these facts, beside as many short ones as it has room for. */
function cardOf({ shown = [], preconditions = {} }: Partial<Request["review"]>): string {
  const request = requestOf({ review: { preconditions, shown: [...few, ...shown] } });
  return said(pendingMessage(request, { alone: true, listed: [], responsibility: untaken }));
}

test("a long fact without which nobody can decide is on the card, and another one is behind Details", () => {
  const card = cardOf({ shown: [{ label: "Collected", value: long, decides: "known" }] });
  expect(card).toContain(long);
  const other = cardOf({ shown: [{ label: "Collected", value: long }] });
  expect(other).not.toContain(long);
  expect(other).toContain("*Details* has “Collected”");
});

test("a value that the platform does not name is on the card, at any length, and takes no other fact's place", () => {
  const card = cardOf({ preconditions: { offer: { value: null, label: "Offer", text: long } } });
  for (const text of [long, ...few.map(({ value }) => value)]) expect(card).toContain(text);
  const part = cardOf({ preconditions: { offer: { value: ["1.00", null], label: "Offer", text: long } } });
  expect(part).toContain(long);
});

test("two facts that are unknown are both on the card, though their words are the same", () => {
  const unnamed = (label: string) => ({ value: null, label, text: "unknown" });
  const card = cardOf({ preconditions: { disk: unnamed("Disk"), product: unnamed("Product") } });
  expect(card).toMatch(/Disk\W+unknown/);
  expect(card).toMatch(/Product\W+unknown/);
});
