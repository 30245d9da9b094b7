import { expect, test } from "vitest";
import { checkOutcome } from "../../src/requests/reconcile.ts";
import { step } from "../../src/requests/step.ts";
import { readRequest } from "../../src/requests/store.ts";
import { askToCancel, openRooms } from "./rooms.ts";

test("a request whose key is gone while its outcome is unknown ends as undecided, and loses its input", async () => {
  const rooms = await openRooms();
  const { app, personOf } = rooms;
  const id = await askToCancel(rooms);
  const request = await readRequest(app, id);
  const claimed = request && (await step(app, request, "approve", {}, { by: "U1" }));
  const unknown = claimed && (await step(app, claimed, "loseAnswer"));
  await app.identities.unlink(personOf("ana").member, "customer", { retire: false });
  expect(unknown && (await checkOutcome(app, unknown))).toBeUndefined();
  expect(await readRequest(app, id)).toMatchObject({
    state: "undecided",
    input: { sealed: null },
    outcome: expect.stringContaining("no longer linked"),
  });
});
