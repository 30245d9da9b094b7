import { expect, test } from "vitest";
import {
  begunIf,
  InstallationHandle,
  installationIn,
  installationProgress,
} from "../../../src/operations/kits/reinstall.ts";

const name = "`metal-1`";
const step = { label: "Show", command: "dedicated show" };
const unshownMs = 30 * 60_000;

function progress(
  shown: { status?: string; installation: string | null; provisioning?: string | null },
  handle: InstallationHandle,
  elapsed = 15_000,
) {
  const given = { elapsed, unshownMs, show: step, again: step };
  return installationProgress({ name, status: "active", ...shown }, handle, given);
}

const words = [null, "completed", "failed", "in_progress", "queued", "deploying, maintenance"];
const provisioned = [null, "active", "deploying", "deploy failed"];
const pairs = words.flatMap((installation) => provisioned.map((provisioning) => ({ installation, provisioning })));

test("an installation ends as done or failed only by that word, and only if it is new or came after one that ran", () => {
  for (const before of pairs)
    for (const now of pairs)
      for (const begun of [false, true])
        for (const elapsed of [15_000, unshownMs + 1]) {
          const handle = { was: before.installation, provisioning: before.provisioning, begun };
          const { state, endUnknown } = progress(now, handle, elapsed);
          if (state === "working" || endUnknown) continue;
          expect(now.installation).toBe(state === "done" ? "completed" : "failed");
          const isNew = now.installation !== before.installation;
          expect(isNew || (begun && now.provisioning === before.provisioning) || now.provisioning === null).toBe(true);
        }
});

test("an unread or changed word shows that an installation runs, and none is in doubt while one shows", () => {
  for (const before of pairs)
    for (const now of pairs) {
      const handle = { was: before.installation, provisioning: before.provisioning, begun: false };
      const isOther = now.installation !== before.installation && now.installation !== null;
      const isProvisioned = now.provisioning !== before.provisioning && now.provisioning !== null;
      if (!isOther && !isProvisioned && now.installation !== "in_progress") continue;
      const { endUnknown, handle: next } = progress(now, handle, unshownMs + 1);
      expect([now, before, endUnknown]).toEqual([now, before, undefined]);
      expect(next.begun).toBe(true);
    }
});

test("one that was seen to run and then shows nothing is in doubt about its end", () => {
  const handle = InstallationHandle.parse({ was: null, provisioning: "active", begun: true });
  const left = { installation: null, provisioning: "active" };
  expect(progress(left, handle)).toMatchObject({ state: "working" });
  expect(progress(left, handle, unshownMs + 1)).toMatchObject({ state: "done", endUnknown: true });
});

test("a handle from before the provisioning was compared proves no rebuild by it", () => {
  const handle = InstallationHandle.parse({ was: "completed" });
  expect(progress({ installation: "completed", provisioning: "active" }, handle).handle.begun).toBe(false);
});

test("after a lost answer a state that is no longer shown, or a change of billing, proves no installation; a new word proves one", () => {
  for (const before of pairs)
    for (const now of pairs) {
      const isNew = (one: string | null, was: string | null) => one !== null && one !== was;
      const begun =
        before.installation !== "in_progress" &&
        (isNew(now.installation, before.installation) || isNew(now.provisioning, before.provisioning));
      const suspended = { status: "suspended", ...now };
      for (const after of [now, suspended])
        expect(
          begunIf({ status: "active", ...before }, { status: "active", ...after }, "begun", "same").is,
          JSON.stringify([before, after]),
        ).toBe(begun ? "done" : "unsure");
    }
  const system = { installation: null, system: "Debian 12" };
  expect(begunIf(system, { ...system, system: "Debian 13" }, "begun", "same").is).toBe("done");
  expect(begunIf(system, { ...system, system: null }, "begun", "same").is).toBe("unsure");
});

test.each([
  [["completed", "Debian 13"], "completed"],
  [["Debian 13", "queued"], "queued"],
  [["2026-01-01T00:00:00Z", "Debian 13"], null],
  [[], null],
])("the texts %j of an installation are read as %s", (texts, state) => {
  expect(installationIn(texts)).toBe(state);
});
