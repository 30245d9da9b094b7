import { expect, test } from "vitest";
import { createPractice, success } from "../../client.ts";

test("a game server's document tells its state, in two shapes, and its power is switched", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.shapes.payload = 0;
  expect(await ask("GET /services/{arena-1}/game")).toMatchObject(success({ server: { state: "running" } }));
  expect(await ask("POST /services/{arena-1}/game/power/kill")).toMatchObject({ status: 200 });
  platform.settings.shapes.payload = 1;
  expect(await ask("GET /services/{arena-1}/game")).toMatchObject(success({ status: "stopped" }));
});
