import { expect, test } from "vitest";
import { commandOutcome } from "../../src/commands/guard.ts";
import { Gone, InputError, NotYet, Refusal, ScopeMissing } from "../../src/operation/errors.ts";
import { StorageError } from "../../src/storage/errors.ts";

test("a reason for the member counts as refused, and a crash inside a command as failed", () => {
  const reasons = [new Refusal("no"), new NotYet("later"), new Gone("gone", "not sent"), new ScopeMissing("none")];
  expect([...reasons, new InputError("wrong")].map(commandOutcome)).toEqual(Array(5).fill("refused"));
  expect([new TypeError("x is undefined"), new StorageError("disk"), null].map(commandOutcome)).toEqual(
    Array(3).fill("failed"),
  );
});
