import { expect, test } from "vitest";
import { powerWord } from "../../../src/operations/kits/power.ts";

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
