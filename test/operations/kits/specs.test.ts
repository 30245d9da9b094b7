import { expect, test } from "vitest";
import { wholeLines } from "../../../src/operations/kits/lines.ts";
import { specsOf } from "../../../src/operations/kits/specs.ts";

test.each([
  [{ cpu: 2, ram: 4096, storage: 50 }, "2 CPU · 4 GB memory · 50 GB disk"],
  [{ cores: "8", memory_gb: 512, nvme: 2048 }, "8 CPU · 512 GB memory · 2 TB disk"],
  [{ ram: 128, ram_mb: 512 }, "128 GB memory · 512 MB memory"],
  [
    { disks: [{ type: "NVMe", size: 960 }, "spare"], ddos: true, snapshots: 3, note: null },
    "disks type NVMe · 960 GB disk · disks spare · ddos yes · snapshots 3",
  ],
  ["4 cores, 8 GB", "4 cores, 8 GB"],
  [{ cpu: 2, root_password: "correct-Horse-7battery" }, "2 CPU"],
])("the specs %j of a plan read with their units, whole and without secrets", (specs, text) => {
  expect(specsOf(specs)).toBe(text);
});

test.each([null, undefined, "", {}, [], { note: "" }])("specs of %j are nothing to show", (specs) => {
  expect(specsOf(specs)).toBeNull();
});

test("lines that have no room are counted, and none is cut", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Price ${at}: ${at}.00 EUR a month, excl. VAT`);
  const shown = wholeLines(lines, 1_500, "\n").split("\n");
  expect(shown.at(-1)).toBe(`${lines.length - shown.length + 1} more`);
  expect(lines).toEqual(expect.arrayContaining(shown.slice(0, -1)));
});
