import { expect, test } from "vitest";
import * as actions from "../../src/requests/actions.ts";

test("every button of a request is in the table for which the compiler asks a handler, and no id is there twice", () => {
  const { requestActions, passkeyActions, ...single } = actions;
  const ids = [...Object.values(single), ...Object.values(passkeyActions)];
  expect(Object.keys(requestActions).toSorted()).toEqual(ids.toSorted());
});
