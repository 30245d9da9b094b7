import { expect, test } from "vitest";
import { powerWord, reconciledByState } from "../../../src/operations/kits/power.ts";
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

test.each(InstanceState.options)(
  "a machine that is %s after a lost answer proves a start or a stop only by that",
  (state) => {
    const isEither = state === "running" || state === "stopped";
    for (const after of ["running", "stopped"] as const)
      expect(reconciledByState(state, after, "").is).toBe(!isEither ? "unsure" : state === after ? "done" : "not done");
  },
);
