import { expect, test } from "vitest";
import { providerAction } from "../../../src/operations/kits/provider-action.ts";

/** The states through which and to which a provider's verb leads a machine. */
function powerOf(action: string): (readonly string[])[] {
  const { effects } = providerAction("", ["status"]);
  return effects({ input: { action } }).flatMap(({ aspect, through = [], to }) =>
    aspect === "power" ? [through, to] : [],
  );
}

test("a provider's own verb may switch a machine on the way, its power verbs lead to their states, and a reading to none", () => {
  expect(powerOf("rebuild-network")).toEqual([["stopped", "paused", "running"], []]);
  expect(powerOf("start")).toEqual([[], ["running"]]);
  expect(powerOf("stop")).toEqual([[], ["stopped"]]);
  expect(powerOf("restart")).toEqual([["stopped"], ["running"]]);
  expect(powerOf("status")).toEqual([]);
});
