import { expect, test } from "vitest";
import { practice, refusal, success } from "../../client.ts";

test("a game server's document tells its state, in more than one shape", async () => {
  const { ask, platform } = await practice();
  const document = () => ask("GET /services/{arena-1}/game");
  platform.settings.shapes.payload = 0;
  expect(await document()).toMatchObject(success({ server: { state: "running" } }));
  platform.settings.shapes.payload = 1;
  expect(await document()).toMatchObject(success({ status: "running" }));
});

test("game servers keep their dotted codes", async () => {
  const { ask, platform } = await practice();
  const power = (name: string, action: string) => ask(`POST /services/{${name}}/game/power/${action}`);
  expect(await power("arena-1", "kill")).toMatchObject({ status: 200 });
  expect(await power("arena-1", "dance")).toMatchObject(refusal(400, "game.power_action_unknown"));
  expect(await power("arena-stubbed", "start")).toMatchObject(refusal(409, "game.capability.runtime_stubbed"));
  expect(await power("arena-unlinked", "start")).toMatchObject(refusal(404, "game.server_not_found"));
  expect(await ask("GET /services/{web-1}/game")).toMatchObject(refusal(404, "game.server_not_found"));
  platform.settings.modules.game = false;
  expect(await ask("GET /services/{arena-1}/game")).toMatchObject(refusal(403, "game.module_disabled"));
});

test("a suspended game server is not acted on", async () => {
  const { ask, platform } = await practice();
  platform.change("arena-1", { status: "suspended" });
  expect(await ask("POST /services/{arena-1}/game/power/start")).toMatchObject(refusal(403, "FORBIDDEN"));
});
