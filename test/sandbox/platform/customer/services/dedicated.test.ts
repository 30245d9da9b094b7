import { expect, test } from "vitest";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, createPractice, listAt, refusal, success } from "../../client.ts";

const strong = { password: "long enough" };

test("dedicated servers are listed with their hardware once a machine is bound, in pages of fifty", async () => {
  const { ask } = await createPractice();
  const answer = await ask("GET /dedicated");
  expect(answer).toMatchObject({ status: 200, body: { pagination: { page: 1, limit: 50, total: 5, pages: 1 } } });
  const bound = listAt(answer, "data").map((row) => [Object(row).name, "hardware" in Object(row)]);
  expect(bound).toContainEqual(["metal-1", true]);
  expect(bound).toContainEqual(["metal-pending", false]);
});

test("a dedicated server is switched by body, by path, and by its service", async () => {
  const { ask, clock, platform } = await createPractice();
  expect(await ask("POST /dedicated/{metal-1}/power", { body: { action: "off" } })).toMatchObject(
    success({ pending: true }),
  );
  clock.skip(30_001);
  expect(platform.find("metal-1")).toMatchObject({ power_state: "off" });
  expect(await ask("POST /dedicated/{metal-1}/power/start")).toMatchObject({ status: 200 });
  expect(await ask("POST /services/{metal-1}/power/reboot")).toMatchObject({ status: 200 });
});

test("a management controller that fails is a 424, and the attempt counts", async () => {
  const { ask } = await createPractice();
  const press = () => ask("POST /dedicated/{metal-broken-controller}/power/on");
  for (let time = 0; time < 10; time += 1) expect(await press()).toMatchObject(refusal(424, "PROVIDER_ERROR"));
  expect(await press()).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("a reinstall of metal is refused while one runs; a password may rebuild it", async () => {
  const { ask, platform, clock } = await createPractice();
  const body = { osImageId: images.ubuntu.id };
  expect(await ask("POST /dedicated/{metal-1}/reinstall", { body })).toMatchObject({ status: 200 });
  expect(await ask("POST /dedicated/{metal-1}/reinstall", { as: "ben", body })).toMatchObject(refusal(409, "CONFLICT"));
  clock.skip(180_001);
  await ask("POST /dedicated/{metal-1}/password", { body: strong });
  expect(platform.find("metal-1")).toMatchObject({ os_installation: "in_progress" });
  await ask("POST /dedicated/{metal-2}/password", { body: strong });
  expect(platform.find("metal-2")).toMatchObject({ os_installation: "completed" });
});

test("a failed build of metal stays pending and tells no failure", async () => {
  const { ask } = await createPractice();
  const answer = await ask("GET /dedicated/{metal-pending}");
  expect(answer).toMatchObject(success({ status: "pending", failure: null }));
  expect(at(answer, "data.hardware")).toBeUndefined();
});
