import { describe, expect, test } from "vitest";
import { cancellations, endIs, endLabel, endTime, isCancellable } from "../../../src/operations/kits/cancelling.ts";
import { Service } from "../../../src/platform/customer/services.ts";
import { ServiceStatus } from "../../../src/platform/customer/states.ts";
import { characters } from "../../../src/process/plain-text.ts";
import { stateWords } from "../../../src/views/values.ts";

type Row = { status: Service["status"]; ends: string | null | undefined };

const { cancelRefusal, cancelReconciled, keepReview, keepReconciled } = cancellations(
  "service",
  ({ status, ends }: Row) => ({
    id: "1",
    name: "`web-1`",
    status,
    state: stateWords(status ?? "of unknown state"),
    ends,
  }),
);

test("Rackbell refuses a cancellation in the five states in which the platform would, and lets it decide in all others", () => {
  const refused = [...ServiceStatus.options, undefined].filter(
    (status) => cancelRefusal({ status, ends: null }, false) !== null,
  );
  expect(refused).toEqual(["pending", "installing", "suspended", "terminated", "cancelled"]);
});

test("a cancellation in a state that no spec lists names no time of its end, and its lost answer proves nothing", () => {
  const locked = { status: "locked", cycle: "monthly", paidUntil: null };
  expect(isCancellable(locked)).toBe(true);
  expect(endTime(locked)).toBe("at a time that the platform does not say, perhaps at once");
  expect(endIs(locked, false).text).toBe("the platform does not say when");
  expect(characters(endLabel("web-1", locked, false))).toBe("Cancel web-1");
  const row = { status: Service.parse({ id: "1", serviceType: "vps", status: "locked" }).status, ends: null };
  expect(cancelReconciled(row, true).is).toBe("unsure");
  expect(keepReconciled(row).is).toBe("unsure");
});

const soon = "2026-11-28T10:00:00Z";

describe.each([...ServiceStatus.options, undefined])("after a lost answer, a service that is %s", (status) => {
  const hasEnded = status === "terminated" || status === "cancelled";

  test.each([true, false])("is cancelled only if it has ended or has a day for it (at once: %s)", (immediate) => {
    for (const ends of [null, undefined, soon]) {
      const { is, text } = cancelReconciled({ status, ends }, immediate);
      const isDone = hasEnded || (!immediate && ends === soon);
      expect(is).toBe(isDone ? "done" : status !== undefined && (immediate || ends === null) ? "not done" : "unsure");
      expect(text).not.toContain("cancelled and not cancelled");
    }
  });

  test("is kept only if it has neither ended nor a day for it", () => {
    for (const ends of [null, undefined, soon]) {
      const { is } = keepReconciled({ status, ends });
      expect(is).toBe(
        hasEnded || ends === soon ? "not done" : ends === null && status !== undefined ? "done" : "unsure",
      );
    }
  });
});

test("a cancellation is withdrawn only of a service that may have one, and its request claims none that is unknown", () => {
  expect(() => keepReview({ status: "active", ends: null })).toThrow("is not cancelled");
  expect(keepReview({ status: "active", ends: undefined }).consequence).toContain("If `web-1` is cancelled");
  expect(keepReview({ status: "active", ends: soon }).consequence).toContain(
    "The cancellation of `web-1` will be withdrawn",
  );
});
