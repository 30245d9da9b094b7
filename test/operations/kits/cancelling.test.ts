import { describe, expect, test } from "vitest";
import { cancellations } from "../../../src/operations/kits/cancelling.ts";
import { ServiceStatus } from "../../../src/platform/customer/states.ts";
import { stateWords } from "../../../src/views/states.ts";

type Row = { status: ServiceStatus | undefined; ends: string | null | undefined };

const { cancelReconciled, keepReconciled } = cancellations("service", ({ status, ends }: Row) => ({
  id: "1",
  name: "`web-1`",
  status,
  state: stateWords(status ?? "of unknown state"),
  ends,
}));

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
