import { expect, test } from "vitest";
import { addWindow, allWindows } from "../../../src/policy/maintenance-windows/windows.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openMemory } from "../../storage/memory.ts";

const hour = 60 * 60_000;

test("a window can be changed when no more windows are kept, and only once", async () => {
  const clock = createSandboxClock();
  const app = { clock, store: (await openMemory({ clock })).store };
  const from = clock.now() + hour;
  const machines = [{ id: "vps-1", name: "web-1" }];
  const window = { machines, from, until: from + hour, every: null, zone: "UTC", by: "U1", byAdmin: true };
  const ids: string[] = [];
  for (;;) {
    const added = await addWindow(app, window, null);
    if (!added) break;
    ids.push(added.id);
  }
  expect(ids).toHaveLength(500);
  const [first = "", ...others] = ids;
  const changed = await addWindow(app, { ...window, from: from + 1 }, first);
  expect(changed?.from).toBe(from + 1);
  expect((await allWindows(app)).map(({ id }) => id).toSorted()).toEqual([...others, changed?.id].toSorted());
  expect(await addWindow(app, window, first)).toBeNull();
});
