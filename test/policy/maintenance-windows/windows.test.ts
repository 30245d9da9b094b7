import { expect, test } from "vitest";
import {
  addWindow,
  allWindows,
  findNextWindow,
  isInWindow,
  maintenanceLine,
  readWindows,
  removeWindow,
  type Window,
  whenOpen,
  windowLine,
  windowMutes,
} from "../../../src/policy/maintenance-windows/windows.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { moment } from "../../../src/views/format.ts";
import { openMemory } from "../../storage/memory.ts";
import { raw } from "../../storage/raw.ts";

const hour = 60 * 60_000;
const web = { id: "vps-1", name: "web-1" };
const mail = { id: "vps-2", name: "mail" };

/** A store in memory, and a window of web-1 that an admin made: from in an hour on, for an hour. */
async function openWindows() {
  const clock = createSandboxClock();
  const app = { clock, store: (await openMemory({ clock })).store };
  const from = clock.now() + hour;
  const span = { from, until: from + hour };
  const window = { machines: [web], ...span, every: null, zone: "UTC", by: "U1", byAdmin: true };
  const add = async (change: Partial<Window> = {}): Promise<Window> => {
    const added = await addWindow(app, { ...window, ...change }, null);
    if (!added) throw new Error("There is room for it");
    return added;
  };
  return { app, clock, window, add, ...span };
}

test("a window can be changed when no more windows are kept, and only once; those that are over make room", async () => {
  const { app, clock, window, add, from } = await openWindows();
  const stored = Array.from({ length: 498 }, (_, at) => ({ ...window, id: `w${at}` }));
  await app.store.keyv(raw("maintenance-windows")).set("workspace", { windows: stored });
  const daily = await add({ every: "day", walls: { from: 0, until: hour } });
  const { id: first } = await add();
  for (const id of [daily.id, first]) expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(await addWindow(app, window, null)).toBeNull();
  const others = stored.map(({ id }) => id);
  const changed = await addWindow(app, { ...window, from: from + 1 }, first);
  expect(changed?.from).toBe(from + 1);
  expect((await allWindows(app)).map(({ id }) => id).toSorted()).toEqual([daily.id, ...others, changed?.id].toSorted());
  expect(await addWindow(app, window, first)).toBeNull();
  clock.skip(3 * hour);
  const later = await add({ from: clock.now() + hour, until: clock.now() + 2 * hour });
  expect((await allWindows(app)).map(({ id }) => id).toSorted()).toEqual([daily.id, later.id].toSorted());
});

test("windows are listed by when they open next, all of them or those of one machine, until one is removed", async () => {
  const { app, clock, add, from, until } = await openWindows();
  expect(await allWindows(app)).toEqual([]);
  await removeWindow(app, "no-such-id");
  const only = await add();
  await removeWindow(app, only.id);
  expect(await allWindows(app)).toEqual([]);
  const late = await add({ from: from + hour, until: until + hour });
  const early = await add({ machines: [mail, web] });
  const daily = await add({ machines: [mail], every: "day", from: from + 2 * hour, until: until + 2 * hour });
  expect(await allWindows(app)).toEqual([early, late, daily]);
  expect(await readWindows(app, web.id)).toEqual([early, late]);
  expect(await readWindows(app, "vps-3")).toEqual([]);
  // The first of them is over, and the daily one has its next time before it.
  clock.skip(2 * hour);
  expect(await allWindows(app)).toEqual([late, daily]);
  await removeWindow(app, "no-such-id");
  expect(await allWindows(app)).toEqual([late, daily]);
  await removeWindow(app, late.id);
  expect(await allWindows(app)).toEqual([daily]);
});

test("rules go by the windows of admins, of that machine alone, while they are open", async () => {
  const { app, add, from, until } = await openWindows();
  expect(await isInWindow(app, web.id, from)).toBe(false);
  expect(await findNextWindow(app, web.id, from - 1)).toBe(null);
  await add({ byAdmin: false });
  expect(await isInWindow(app, web.id, from)).toBe(false);
  expect(await findNextWindow(app, web.id, from - 1)).toBe(null);
  await add();
  expect(await isInWindow(app, web.id, from - 1)).toBe(false);
  expect(await isInWindow(app, web.id, from)).toBe(true);
  expect(await isInWindow(app, web.id, until - 1)).toBe(true);
  expect(await isInWindow(app, web.id, until)).toBe(false);
  expect(await isInWindow(app, mail.id, from)).toBe(false);
  expect(await findNextWindow(app, web.id, from - 1)).toBe(from);
  expect(await findNextWindow(app, web.id, from)).toBe(null);
  expect(await findNextWindow(app, mail.id, from - 1)).toBe(null);
});

test("an open window mutes the alerts of its machines in every channel until it closes, and of no others", async () => {
  const { app, add, from, until } = await openWindows();
  await add({ machines: [mail, web], byAdmin: false });
  const mute = { channel: null, until, by: "U1" };
  expect(await windowMutes(app, from, [web.id])).toEqual([{ ...mute, about: web.id, name: "web-1" }]);
  expect(await windowMutes(app, until - 1, [web.id, "vps-3", mail.id])).toEqual([
    { ...mute, about: mail.id, name: "mail" },
    { ...mute, about: web.id, name: "web-1" },
  ]);
  expect(await windowMutes(app, from - 1, [web.id])).toEqual([]);
  expect(await windowMutes(app, until, [web.id])).toEqual([]);
  expect(await windowMutes(app, from, ["vps-3"])).toEqual([]);
  expect(await windowMutes(app, from, [])).toEqual([]);
});

test("people read when a window is open, with its days and its zone, and whether rules go by it", async () => {
  const { add, from, until } = await openWindows();
  const once = await add({ machines: [web, mail] });
  const [opens, closes] = [moment(from), moment(until)];
  expect(whenOpen(once, from - 1)).toBe(`from ${opens} until ${closes}`);
  expect(whenOpen(once, from)).toBe(`now until ${closes}`);
  expect(whenOpen(once, until)).toBe("over");
  const daily = await add({ every: "day", zone: "UTC" });
  const weekly = await add({ every: "week", zone: "UTC", byAdmin: false });
  expect(whenOpen(daily, from)).toBe(`now until ${closes}, and every day at that time (UTC)`);
  expect(whenOpen(weekly, from - 1)).toBe(`from ${opens} until ${closes}, and every week at that time (UTC)`);

  expect(maintenanceLine([], from)).toBe(null);
  expect(maintenanceLine([once], from)).toBe(
    `:construction: Maintenance: now until ${closes}. Its alerts are muted then.`,
  );
  const line = maintenanceLine([once, once, daily, weekly], from);
  expect(line).toContain(`now until ${closes}; now until ${closes}; now until ${closes}, and every day`);
  expect(line).not.toContain("every week");

  const end = `now until ${closes} · by <@U1> · \`${once.id}\``;
  expect(windowLine(once, [web, mail], from)).toBe(`\`web-1\` and \`mail\`: ${end}`);
  expect(windowLine(once, [web], from)).toBe(`\`web-1\` and 1 that your keys do not list: ${end}`);
  expect(windowLine(once, [], from)).toBe(`machines that your keys do not list: ${end}`);
  expect(windowLine(weekly, [web], from)).toBe(
    `\`web-1\`: ${whenOpen(weekly, from)} · by <@U1> · \`${weekly.id}\`; rules do not go by it, since no admin made it`,
  );
});
