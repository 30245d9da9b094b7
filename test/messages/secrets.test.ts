import { expect, test } from "vitest";
import { eraseNoted, offerSecrets, revealSecrets } from "../../src/messages/secrets.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { openApp } from "../requests/requests.ts";

const member = "T1:U1";
const shown = [{ label: "Root password", value: "correct horse" }];

/** One-time secrets on two devices of one person: `race` runs on the other one just before the next step is stored. */
async function onTwoDevices() {
  const races: (() => Promise<unknown>)[] = [];
  const { store, clock } = await openApp();
  const seal = createSeal({ key: Buffer.alloc(32, 7) });
  const other = { store, seal, clock };
  const own: typeof other = {
    seal,
    clock,
    store: {
      ...store,
      timers: { ...store.timers, handle: () => {} },
      async transact(transaction) {
        await races.pop()?.();
        return store.transact(transaction);
      },
    },
  };
  await offerSecrets(other, "s1", { member, slackUser: "U1" }, "New root password of web-1", shown);
  return { own, other, race: (does: () => Promise<unknown>) => void races.push(does) };
}

test("a secret that was noted is gone, also if it was looked at elsewhere in the same moment", async () => {
  const { own, other, race } = await onTwoDevices();
  race(() => revealSecrets(other, "s1", member));
  await eraseNoted(own, "s1", member);
  expect(await revealSecrets(other, "s1", member)).toEqual({ gone: "noted" });
});

test("a secret that was noted elsewhere in the same moment is not shown", async () => {
  const { own, other, race } = await onTwoDevices();
  race(() => eraseNoted(other, "s1", member));
  expect(await revealSecrets(own, "s1", member)).toEqual({ gone: "noted" });
});

test("a secret that is looked at on two devices at once is shown on both, and to nobody else", async () => {
  const { own, other, race } = await onTwoDevices();
  expect(await revealSecrets(own, "s1", "T1:U2")).toEqual({ gone: "not yours" });
  race(() => revealSecrets(other, "s1", member));
  expect(await revealSecrets(own, "s1", member)).toMatchObject({ secrets: shown });
});

test("a secret whose time is over is not shown, even if nothing has erased it yet", async () => {
  const { own, other } = await onTwoDevices();
  other.clock.skip(24 * 60 * 60_000);
  expect(await revealSecrets(own, "s1", member)).toEqual({ gone: "expired" });
});

test("a secret that was opened is shown for an hour, and no longer", async () => {
  const { own } = await onTwoDevices();
  await revealSecrets(own, "s1", member);
  own.clock.skip(60 * 60_000 - 1_000);
  expect(await revealSecrets(own, "s1", member)).toMatchObject({ secrets: shown });
  own.clock.skip(1_000);
  expect(await revealSecrets(own, "s1", member)).toEqual({ gone: "expired" });
});
