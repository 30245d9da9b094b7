import { expect, test } from "vitest";
import { at, createPractice, refusal, success, textAt } from "../../client.ts";

test("a cancellation is set for the end of the paid time, can be withdrawn, and comes true", async () => {
  const { ask, clock, platform } = await createPractice();
  const path = "/services/{web-1}/cancel";
  const set = await ask(`POST ${path}`, { body: { reason: "not needed" } });
  expect(set.status).toBe(200);
  expect(at(set, "data.cancellation_scheduled_date")).toBe(platform.find("web-1").billing.next_due_date);
  expect(await ask("GET /vps/{web-1}")).toMatchObject(
    success({ status: "active", cancellation: { scheduled_date: expect.any(String) } }),
  );
  expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 200 });
  expect(platform.find("web-1").cancellation).toBeNull();

  const again = textAt(await ask("DELETE /vps/{web-1}"), "data.cancellation_scheduled_date");
  clock.skip(Date.parse(again) - clock.now() + 1);
  expect(await ask("GET /vps/{web-1}")).toMatchObject(success({ status: "terminated", instance: null }));
});

test("an immediate one ends the server and its disk at once", async () => {
  const { ask, platform } = await createPractice();
  expect(await ask("DELETE /vps/{web-1}", { body: { immediate: true } })).toMatchObject(success({ immediate: true }));
  expect(platform.findVps("web-1")).toMatchObject({ status: "terminated", instance: null, snapshots: [] });
});

test.each(["failed-capacity", "waiting-1"])(
  "%s, which was never built, ends at once, however the request reads",
  async (name) => {
    const { ask, platform } = await createPractice();
    const answer = await ask(`POST /services/{${name}}/cancel`, { body: { immediate: false } });
    expect(answer).toMatchObject(success({ immediate: true }));
    expect(platform.find(name).status).toBe("terminated");
  },
);

test("the sixth cancellation in a minute waits", async () => {
  const { ask } = await createPractice();
  const path = "/services/{web-1}/cancel";
  for (let time = 0; time < 5; time += 1) {
    await ask(`POST ${path}`);
    await ask(`DELETE ${path}`);
  }
  expect(await ask(`POST ${path}`)).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});
