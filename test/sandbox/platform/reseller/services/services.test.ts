import { expect, test } from "vitest";
import { createPractice, createPracticeWithEvents, listAt, resellerRefusal, success } from "../../client.ts";

test("services come in pages of 20, by status and by customer", async () => {
  const { resell } = await createPractice();
  expect(await resell("GET /services")).toMatchObject(success({ pagination: { page: 1, limit: 20 } }));
  expect(await resell("GET /services?limit=500")).toMatchObject(success({ pagination: { limit: 100 } }));
  const suspended = listAt(await resell("GET /services?status=suspended"), "data.services");
  expect(suspended).toContainEqual(
    expect.objectContaining({
      externalServiceId: "ACME-003",
      externalCustomerId: "acme-bakery",
      status: "suspended",
      billingCycle: "monthly",
    }),
  );
  expect(listAt(await resell("GET /services?externalCustomerId=borealis"), "data.services")).toHaveLength(4);
  expect(await resell("GET /services?status=no-such")).toMatchObject(
    success({ services: [], pagination: { total: 0 } }),
  );
});

test.each([
  ["inside", false],
  ["inside", true],
  ["beside", false],
  ["beside", true],
] as const)("the figures of a page stand %s data, its rows under their name: %s", async (pagination, named) => {
  const { resell, platform } = await createPractice();
  Object.assign(platform.settings.shapes, { pagination, named });
  const answer = await resell("GET /services?limit=2");
  const rows = pagination === "beside" && !named ? "data" : "data.services";
  const place = pagination === "beside" ? "pagination" : named ? "data" : "data.pagination";
  expect(listAt(answer, rows)).toHaveLength(2);
  expect(answer).toMatchObject({ body: nest(place, { page: 1, limit: 2 }) });
});

function nest(path: string, value: object): object {
  return path.split(".").reduceRight<object>((inner, name) => ({ [name]: inner }), value);
}

test("somebody else's service is as unknown as one that never was", async () => {
  const { resell } = await createPractice();
  expect(await resell("GET /services/{outsider-1}")).toMatchObject(resellerRefusal(404, "Service not found"));
  expect(await resell("GET /services/{outsider-1}", { as: "zoe" })).toMatchObject({ status: 200 });
  expect(await resell("DELETE /services/{web-1}", { as: "zoe" })).toMatchObject({ status: 404 });
});

test.each([
  ["web-1", { backend: "vps", power: true, powerActions: ["start", "stop", "restart"], backups: true }],
  ["start-only", { backend: "vps", powerActions: ["start"] }],
  ["no-power", { backend: "vps", power: false, powerActions: [], reinstall: false, password: false }],
  ["metal-1", { backend: "dedicated", power: true, backups: false }],
  ["plugin-1", { backend: "plugin", power: true, backups: true }],
  ["arena-1", { backend: null, power: false, console: false }],
  ["gone-1", { backend: "vps", power: false, stats: false, reinstall: false }],
])("%s has the capabilities of its backend", async (name, expected) => {
  const { resell } = await createPractice();
  expect(await resell(`GET /services/{${name}}/capabilities`)).toMatchObject(success(expected));
});

test("a suspended service is billed on, raises events, and comes back", async () => {
  const { resell, id, platform } = await createPracticeWithEvents();
  const path = "/services/{web-2}";
  expect(await resell(`POST ${path}/suspend`, { body: { reason: "unpaid" } })).toMatchObject(
    success({ serviceId: id("web-2"), status: "suspended", actions: ["machine_stopped"] }),
  );
  expect(await resell(`POST ${path}/suspend`)).toMatchObject(
    resellerRefusal(409, "The service is suspended, not active"),
  );
  expect(await resell(`POST ${path}/power`, { body: { action: "start" } })).toMatchObject({ status: 403 });
  expect(await resell(`POST ${path}/power`, { body: { action: "restart" } })).not.toMatchObject({ status: 403 });
  expect(await resell(`GET ${path}`)).toMatchObject(success({ wholesaleAmount: "10.0000" }));
  expect(await resell(`POST ${path}/unsuspend`)).toMatchObject(success({ status: "active" }));
  expect(await resell(`POST ${path}/unsuspend`)).toMatchObject({ status: 409 });
  expect(platform.reseller.deliveries()).toMatchObject([
    {
      event: "service.suspended",
      data: { serviceId: id("web-2"), externalCustomerId: "acme-bakery", status: "suspended", reason: "unpaid" },
    },
    { event: "service.unsuspended", data: { status: "active", hostname: "web-2.example.test" } },
  ]);
});

test("a terminated service refuses every act, and terminating it again changes nothing", async () => {
  const { resell, platform } = await createPracticeWithEvents();
  const path = "/services/{web-1}";
  expect(await resell(`DELETE ${path}`)).toMatchObject(success({ status: "terminated" }));
  expect(await resell(`DELETE ${path}`)).toMatchObject(success({ alreadyTerminated: true }));
  for (const action of ["start", "stop", "restart", "shutdown"]) {
    expect(await resell(`POST ${path}/power`, { body: { action } })).toMatchObject({ status: 403 });
  }
  expect(await resell(`POST ${path}/suspend`)).toMatchObject({ status: 409 });
  expect(await resell(`POST ${path}/unsuspend`)).toMatchObject({ status: 403 });
  expect(platform.reseller.deliveries().map(({ event }) => event)).toEqual(["service.terminated"]);
});

test("a machine is stopped and started; a server says when it had nothing to do; a provider answers in its own words", async () => {
  const { resell, platform, clock } = await createPractice();
  const power = (name: string, action: string) => resell(`POST /services/{${name}}/power`, { body: { action } });
  expect(await power("web-1", "shutdown")).toMatchObject(success({ pending: true }));
  clock.skip(60_000);
  expect(platform.findVps("web-1").instance?.state).toBe("stopped");
  expect(await power("metal-1", "start")).toMatchObject(success({ action: "start", alreadyInState: true }));
  expect(await power("metal-1", "stop")).toMatchObject(success({ action: "stop", alreadyInState: false }));
  expect(await power("plugin-1", "restart")).toMatchObject(success({ accepted: "restart" }));
});

test("a service that the supplier withholds has the status fraud, and not suspended", async () => {
  const { resell, id, platform } = await createPractice();
  platform.reseller.withhold(id("web-1"));
  expect(await resell("GET /services/{web-1}")).toMatchObject(success({ status: "fraud" }));
  expect(await resell("POST /services/{web-1}/suspend")).toMatchObject({ status: 409 });
  expect(listAt(await resell("GET /services?status=fraud"), "data.services")).toHaveLength(1);
});

test("the supplier suspends a service behind the API's back, and the programme raises an event", async () => {
  const { platform, id } = await createPracticeWithEvents();
  platform.change("web-1", { status: "suspended" });
  expect(platform.reseller.deliveries()).toMatchObject([
    { event: "service.suspended", data: { serviceId: id("web-1") } },
  ]);
});
