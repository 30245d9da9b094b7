import { expect, test } from "vitest";
import { diskLoss, sizeChange, sizeInSpecs } from "../../src/operations/kits/plan-change.ts";

const diskIn = (specs: unknown) => sizeInSpecs(specs).diskGb;

test.each([
  [
    { cpu: 2, ram: 4096, storage: 50 },
    { cpu: 2, memoryMb: 4096, diskGb: 50 },
  ],
  [
    { cpu: "2", ram: "4 GB", storage: "50 GB NVMe" },
    { cpu: 2, memoryMb: 4096, diskGb: 50 },
  ],
  [
    { cores: "2 vCPU", memory_gb: 4, disk_gb: 50 },
    { cpu: 2, memoryMb: 4096, diskGb: 50 },
  ],
  [
    { vcpus: 2, ramMb: 4096, diskMb: 51_200 },
    { cpu: 2, memoryMb: 4096, diskGb: 50 },
  ],
  [
    { cpu_cores: 2, ram: 4, disk: { size_tb: 2, type: "NVMe 4" } },
    { cpu: 2, memoryMb: 4096, diskGb: 2_048 },
  ],
  [
    { storage: 50, storage_type: "NVMe", disk_iops: 9_000 },
    { cpu: null, memoryMb: null, diskGb: 50 },
  ],
  [null, { cpu: null, memoryMb: null, diskGb: null }],
])("the specs %j name the size %j", (specs, size) => {
  expect(sizeInSpecs(specs)).toEqual(size);
});

test.each([
  { storage: "2 x 1 TB NVMe" },
  { disk: "2 NVMe" },
  { disks: 8 },
  { disk: 50, ssd: 100 },
  { disk: 50, ssd: "2 x 100" },
  { disk: { count: 2, size: 50 } },
  { storage: 51_200 },
  { disk_bytes: 53_687_091_200 },
  { storage: "1.000 GB" },
  { storage: "1,000 GB" },
  { disks: [50, 50] },
  { ssd: 2 },
])("a disk that %j does not name plainly is not guessed, and counts as one that shrinks", (specs) => {
  expect(diskIn(specs)).toBeNull();
  expect(diskLoss(sizeInSpecs({ storage: 1 }), sizeInSpecs(specs))).toContain("does not name the new disk");
  expect(diskLoss(sizeInSpecs(specs), sizeInSpecs({ storage: 50 }))).toContain("does not name the present disk");
});

test("only a smaller disk loses data: processor and memory hold none", () => {
  const now = sizeInSpecs({ cpu: 4, ram: 8192, storage: 50 });
  expect(diskLoss(now, sizeInSpecs({ cpu: 1, ram: 1024, storage: 50 }))).toBeNull();
  expect(diskLoss(now, sizeInSpecs({ storage: "0.05 TB" }))).toBeNull();
  expect(diskLoss(now, sizeInSpecs({ storage: 49 }))).toBe(
    "The disk will shrink from 50 GB to 49 GB. Data that does not fit will be lost.",
  );
});

test("add-ons that a new plan does not offer are lost with their number, which may be unknown", () => {
  const now = sizeInSpecs({ storage: 50 });
  const lost = (...quantities: (number | null)[]) => {
    const leftOut = quantities.map((quantity) => ({ name: "Backup", quantity }));
    return sizeChange({ now, after: now, leftOut }, null).losses;
  };
  expect(lost()).toEqual([]);
  expect(lost(1)).toEqual(["The new plan does not offer `Backup`. It may end, with its data."]);
  expect(lost(3)).toEqual(["The new plan does not offer 3 × `Backup`. They may end, with their data."]);
  expect(lost(1, null)).toEqual([
    "The new plan does not offer `Backup` and an unknown quantity of `Backup`. They may end, with their data.",
  ]);
});

const size = (diskGb: number | null) => ({ cpu: 2, memoryMb: 4_096, diskGb });

test.each([
  ["upgrade", 50, 100, ["10.00", "20.00"]],
  ["upgrade", 50, null, ["10.00", "20.00"]],
  ["downgrade", 50, 50, ["20.00", "10.00"]],
  ["downgrade", 50, 25, ["10.00", "20.00"]],
  ["downgrade", 50, 25, null],
  ["change", 50, 50, ["10.00", "10.00"]],
  ["change", 50, 100, null],
] as const)("it is called %s from %s GB to %s GB at the prices %j", (kind, from, to, prices) => {
  expect(sizeChange({ now: size(from), after: size(to), leftOut: [] }, prices).kind).toBe(kind);
});
