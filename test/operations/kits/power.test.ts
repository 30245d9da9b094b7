import { describe, expect, test } from "vitest";
import { powerIn, powerWord, progressOf, reconciledBy, reportedPower } from "../../../src/operations/kits/power.ts";
import { InstanceState } from "../../../src/platform/customer/states.ts";

const words = {
  on: ["on", "ON", "power on", "POWER_ON", "poweredOn", "Chassis Power is on", "running", "up", "started", "active"],
  off: ["off", "Off", "power off", "POWERED_OFF", "poweredOff", "soft-off", "stopped", "shut down", "shutdown", "down"],
};

test.each(Object.entries(words))(
  "a server is %s in whatever words its management controller says so",
  (power, texts) => {
    for (const text of texts) expect(powerWord(text), text).toBe(power);
  },
);

test("a running change and a controller that cannot be reached are neither on nor off", () => {
  for (const text of ["powering on", "PoweringOff", "shutting down", "unreachable", "unknown", "rebooting"])
    expect(["on", "off", null], text).not.toContain(powerWord(text));
  for (const text of [null, undefined, "", "_"]) expect(powerWord(text)).toBeNull();
});

test.each([
  ["on", "on"],
  [{ power_state: "POWER_OFF", checked_at: "2026-11-29T08:00:00Z", host: "up-1.example" }, "off"],
  [{ status: "on", message: "Chassis Power is on", vendor: "Acme" }, "on"],
  [{ power: { state: "powering off" } }, "powering off"],
  [{ powered_on: false, reachable: true }, "off"],
  [{ message: "The last action on this server worked", power: "off" }, "off"],
  [[{ isOn: true }], "on"],
  [{ controller: "online", power: "off" }, null],
  [{ power: "on", now: "shutting down" }, null],
  [{ status: "unknown" }, "unknown"],
  [{ state: "Controller unreachable", error: "No answer" }, "unreachable"],
  [{ power: "off", health: "unknown" }, "off"],
  [{ power: true }, null],
  [{}, null],
  [null, null],
])("a report of the power %j is read as %s", (report, power) => {
  expect(reportedPower(report)).toBe(power);
});

const settled = { running: "start", stopped: "stop" } as const;

test.each(InstanceState.options)(
  "a machine that is %s after a lost answer proves a start or a stop only by that",
  (state) => {
    const seen = { power: powerIn(state), standing: `is ${state}` };
    const isEither = state === "running" || state === "stopped";
    for (const [after, action] of Object.entries(settled)) {
      const wanted = !isEither ? "unsure" : state === after ? "done" : "not done";
      expect(reconciledBy("web-1", seen, action).is).toBe(wanted);
      expect(reconciledBy("web-1", seen, action, true).is).toBe(wanted === "not done" ? "unsure" : wanted);
    }
    for (const action of ["restart", "reboot"] as const) expect(reconciledBy("web-1", seen, action).is).toBe("unsure");
  },
);

describe.each(["restart", "reboot"] as const)("after a %s", (action) => {
  const look = (power: "running" | "stopped", rest: Partial<Parameters<typeof progressOf>[2]> = {}, report = "2") =>
    progressOf("web-1", { power, standing: `is ${power}`, report }, { action, waited: 0, report: "1", ...rest });

  test("a machine runs again where it was seen to be off since, or where the platform calls it completed", () => {
    const off = look("stopped");
    expect(off).toMatchObject({ state: "working", handle: { action, report: "1", wasStopped: true } });
    for (const seen of [look("running", { wasStopped: true }), look("running", { job: "done" })])
      expect(seen).toEqual({ state: "done", text: "web-1 is running again." });
  });

  test.each(["1", "2"])(
    "a report alone proves nothing: after a while its end is unknown, and no scare (%s)",
    (report) => {
      expect(look("running", { waited: 119_000 }, report).state).toBe("working");
      const ended = look("running", { waited: 121_000 }, report);
      expect(ended).toMatchObject({ state: "done", endUnknown: true });
      expect(ended.text).toBe("web-1 is running. The platform accepted the restart, and does not show if it ran.");
    },
  );

  test("a failure in the platform's answer counts, although the machine runs", () => {
    expect(look("running", { job: "failed" })).toMatchObject({ state: "failed" });
  });
});

test("a start that the platform calls completed or failed is what its machine shows", () => {
  const look = (power: "running" | "stopped", job: "done" | "failed") =>
    progressOf(
      "web-1",
      { power, standing: `is ${power}`, report: "1" },
      { action: "start", waited: 31_000, report: "1", job },
    );
  expect(look("running", "done")).toEqual({ state: "done", text: "web-1 is running." });
  expect(look("stopped", "done")).toEqual({ state: "working", text: "web-1 is stopped." });
  expect(look("running", "failed")).toEqual({ state: "done", text: "web-1 is running." });
  const text = "The platform answered that this failed. web-1 is stopped.";
  expect(look("stopped", "failed")).toEqual({ state: "failed", text });
});

test("a state counts once it is reported after the act, or when no report has come for long", () => {
  const [running, failed] = [
    { power: "running", standing: "is running", report: "1" } as const,
    { power: "between", standing: "is in state error", report: "1", failed: true } as const,
  ];
  const states = (seen: typeof running | typeof failed, waited: number, report: string) =>
    progressOf("web-1", seen, { action: "start", waited, report }).state;
  expect([states(running, 0, "1"), states(running, 31_000, "1"), states(running, 0, "0")]).toEqual([
    "working",
    "done",
    "done",
  ]);
  expect([states(failed, 0, "1"), states(failed, 31_000, "1"), states(failed, 0, "0")]).toEqual([
    "working",
    "failed",
    "failed",
  ]);
});
