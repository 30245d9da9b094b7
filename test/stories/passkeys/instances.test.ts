import { expect, onTestFinished, test } from "vitest";
import { hasRedis } from "../../storage/redis/server.ts";
import { createPair, eventually, type Instance, link, type Pair, sees, wasTooSlow } from "../../torture/pair.ts";
import { type Authenticator, createAuthenticator } from "./authenticator.ts";
import { addressIn, counted, dead, makeWith, open, passkeyButton, send, signed } from "./passkeys.ts";

const day = 24 * 60 * 60_000;

/** Two instances on one Redis, a day after Ana linked her key; whatever destroys takes her passkey. Over sockets, either takes a press. */
async function protectedPair(): Promise<{ pair: Pair; instances: [Instance, Instance]; device: Authenticator }> {
  const pair = await createPair({ PASSKEYS: "on" }, "socket");
  onTestFinished(() => pair.end());
  const { ana, platform } = pair;
  const first = await pair.start();
  await link(pair);
  await ana.type("/rackbell policy add demand=confirm risk=destroy passkey=yes");
  await sees(ana, "In effect now");
  await first.kill();
  const instances: [Instance, Instance] = [await pair.start({ ahead: day }), await pair.start({ ahead: day })];
  await ana.type("/rackbell passkey");
  const address = addressIn((await sees(ana, "Make a passkey", "The link is for you alone")).blocks);
  const device = createAuthenticator();
  const made = await makeWith({ app: instances[0] }, address, { key: platform.keys.ana.key }, device);
  expect(made).toMatchObject({ title: "Your passkey is ready" });
  return { pair, instances, device };
}

/** Presses the button of the request about a machine, and resolves with the address in the modal. */
async function pressForLink({ ana }: Pair, name: string): Promise<string> {
  if (ana.modal()) await ana.closeModal({ all: true });
  const request = await sees(ana, "This needs a passkey", name);
  // Slack may still send to an instance that has just been killed, and a person then presses again.
  await eventually(() => ana.press(request, passkeyButton).then(() => true, wasTooSlow), "the press is taken");
  await eventually(() => JSON.stringify(ana.modal() ?? "").includes("/approve/"), "the link");
  return addressIn(ana.modal()?.blocks ?? []);
}

function deletions({ platform }: Pair): number {
  return platform.calls().filter(({ method }) => method === "DELETE").length;
}

test.runIf(hasRedis)(
  "two instances on one Redis decide once by an assertion that reaches both; one killed before the decision loses the link alone",
  async () => {
    const { pair, instances, device } = await protectedPair();
    const { ana, platform } = pair;
    const [first, second] = instances;
    const [one, other] = [{ app: first }, { app: second }];
    await ana.type("/vps cancel web-1");
    const shared = await pressForLink(pair, "web-1");
    const answer = await signed(one, shared, device);
    const answers = await Promise.all([send(one, shared, answer), send(other, shared, answer)]);
    expect(answers.map(({ title }) => title).toSorted()).toEqual([dead, counted]);
    await sees(ana, ":white_check_mark:", "web-1");
    expect(deletions(pair)).toBe(1);

    await ana.type("/vps cancel web-2");
    const address = await pressForLink(pair, "web-2");
    const unheard = await signed(one, address, device);
    // The link is spent before the facts are read again at the platform, so the reading that hangs lies between the two.
    platform.faults.hang();
    const lost = send(one, address, unheard).catch(() => "no answer");
    await eventually(async () => (await open(other, address)).status === 404, "the link to be spent");
    await first.kill();
    platform.faults.resume();
    expect(await lost).toBe("no answer");
    expect(deletions(pair)).toBe(1);
    // The member presses again, at the instance that is left.
    const again = await pressForLink(pair, "web-2");
    expect(await send(other, again, await signed(other, again, device))).toMatchObject({ title: counted });
    await sees(ana, ":white_check_mark:", "web-2");
    expect(deletions(pair)).toBe(2);
  },
  90_000,
);
