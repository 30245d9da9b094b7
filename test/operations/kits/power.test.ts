import { expect, test } from "vitest";
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

test("a machine runs again only where a report came after the restart; without one its end is unknown", () => {
  const seen = { power: "running", standing: "is running", report: "1" } as const;
  for (const action of ["restart", "reboot"] as const) {
    const after = (waited: number, report: string) => progressOf("web-1", seen, { action, waited, report });
    expect(after(0, "0")).toEqual({ state: "done", text: "web-1 is running again." });
    expect(after(31_000, "1").state).toBe("working");
    expect(after(121_000, "1")).toMatchObject({ state: "done", endUnknown: true });
    expect(after(121_000, "1").text).not.toContain("again");
  }
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
