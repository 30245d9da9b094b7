import { expect, test } from "vitest";
import * as z from "zod";
import { type Actor, type Message, type Story, writes } from "../story.ts";
import {
  AuthenticatorEmulator,
  type AuthenticatorParameters,
  PasskeysCredentialsMemoryRepository,
  WebAuthnEmulator,
} from "./emulator.ts";
import {
  type Answer,
  counted,
  keyOf,
  linkOf,
  open,
  pressForLink,
  protectedStory,
  send,
  site,
  uncounted,
} from "./passkeys.ts";

/** The options of a page, from which its script makes those of the browser. */
const Make = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  exclude: z.array(z.object({ id: z.string() })),
});
const Sign = z.object({ challenge: z.string(), rpId: z.string(), passkeys: z.array(z.object({ id: z.string() })) });

/** A device of other makers, and the browser that it is plugged into. `shown`: the origin that this browser writes down. */
interface Device {
  keys: InstanceType<typeof PasskeysCredentialsMemoryRepository>;
  make(options: unknown, algorithms?: number[]): object;
  sign(options: unknown, shown?: string): object;
}

function plugIn(how: Partial<AuthenticatorParameters> = {}): Device {
  const keys = new PasskeysCredentialsMemoryRepository();
  const browser = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository: keys, ...how }));
  const known = (passkeys: { id: string }[]) => passkeys.map(({ id }) => ({ id, type: "public-key" as const }));
  return {
    keys,
    make(options, algorithms = [-7, -257]) {
      const { challenge, rp, user, exclude } = Make.parse(options);
      return browser.createJSON(site.origin, {
        challenge,
        rp,
        user,
        excludeCredentials: known(exclude),
        attestation: "none",
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
        authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
      });
    },
    sign(options, shown = site.origin) {
      const { challenge, rpId, passkeys } = Sign.parse(options);
      // A site that the host name allows beside its own: a browser signs for it, and writes down where the person was.
      const related = shown === site.origin ? [] : [shown];
      return browser.getJSON(
        shown,
        { challenge, rpId, allowCredentials: known(passkeys), userVerification: "required" },
        related,
      );
    },
  };
}

/** Registers a passkey on the page: by the linked key, and by the passkey itself. */
async function registerWith(story: Story, actor: Actor, device: Device, algorithms?: number[]): Promise<Answer> {
  const address = await linkOf(story, actor, "/rackbell passkey", "Make a passkey");
  const begun = await send(story, address, { key: keyOf(story, actor) });
  const made = { made: device.make(begun.make, algorithms), name: "second" };
  const taken = await send(story, address, made);
  return taken.sign ? send(story, address, { ...made, signed: device.sign(taken.sign) }) : taken;
}

/** A request of Ana's, and the page on which Ben would approve it. */
async function openForBen(story: Story, command = "/vps cancel web-2"): Promise<{ card: Message; address: string }> {
  const card = await story.ask(story.ana, command, "This needs a passkey");
  return { card, address: await pressForLink(story, story.ben, card) };
}

/** Opens the page, signs what it asks for, and sends it. */
async function approveWith(story: Story, address: string, device: Device, shown?: string): Promise<Answer> {
  const { options } = await open(story, address);
  return send(story, address, { signed: device.sign(options, shown) });
}

const ready = { title: "Your passkey is ready" };

test.each([
  ["of ES256", { algorithmIdentifiers: ["ES256" as const] }],
  ["of RS256", { algorithmIdentifiers: ["RS256" as const] }],
  ["that counts no uses", { signCounterIncrement: 0 }],
  ["that stores nothing and seals its key into the id", { stateless: true }],
])(
  "a device of other makers %s makes a passkey, approves twice with it, and the audit log proves all three signatures",
  async (_, how) => {
    const { story } = await protectedStory();
    const device = plugIn(how);
    expect(await registerWith(story, story.ben, device)).toMatchObject(ready);
    for (const command of ["/vps cancel web-2", "/vps cancel db-1"]) {
      const { address } = await openForBen(story, command);
      expect(await approveWith(story, address, device)).toMatchObject({ title: counted });
    }
    await story.ask(story.ana, "/rackbell audit verify", "is whole", "5 signatures by passkeys are proven");
  },
);

test("a device that knows no algorithm of ours makes no passkey, and one of its algorithm is refused", async () => {
  const { story } = await protectedStory();
  const device = plugIn({ algorithmIdentifiers: ["EdDSA"] });
  await expect(registerWith(story, story.ben, device)).rejects.toThrow(/algorithm/i);
  expect(await registerWith(story, story.ben, device, [-8])).toMatchObject({
    again: true,
    text: ["Your device made no passkey that can be used here. Try again."],
  });
  await story.ask(story.ben, "/rackbell passkey list", "You have no passkey");
});

const unproven = [
  ["did not verify its user", { uv: false, up: true }],
  ["was not touched", { uv: true, up: false }],
  ["did neither", { uv: false, up: false }],
] as const;

test.each(unproven)(
  "a device that %s makes no passkey, and approves nothing with one that it has",
  async (_, options) => {
    const { story } = await protectedStory();
    const lax = {
      userMakeCredentialInteraction: () => ({ options }),
      userGetAssertionInteraction: () => ({ options }),
    };
    expect(await registerWith(story, story.ben, plugIn(lax))).toMatchObject({ again: true });
    const device = plugIn();
    expect(await registerWith(story, story.ben, device)).toMatchObject(ready);
    const { address } = await openForBen(story);
    const unproved = plugIn({ ...lax, credentialsRepository: device.keys });
    expect(await approveWith(story, address, unproved)).toMatchObject({ title: uncounted });
    expect(writes(story)).toEqual([]);
    expect(await approveWith(story, address, device)).toMatchObject({ title: counted });
  },
);

test("of a device that was copied, the copy approves nothing once the device was used", async () => {
  const { story } = await protectedStory();
  const device = plugIn();
  expect(await registerWith(story, story.ben, device)).toMatchObject(ready);
  const copy = plugIn();
  for (const key of device.keys.loadCredentials()) copy.keys.saveCredential(key);
  const first = await openForBen(story);
  expect(await approveWith(story, first.address, device)).toMatchObject({ title: counted });
  const second = await openForBen(story, "/vps cancel db-1");
  expect(await approveWith(story, second.address, copy)).toMatchObject({ title: uncounted });
  expect(await approveWith(story, second.address, device)).toMatchObject({ title: counted });
});

test.each([
  ["under the same host name", "https://panel.rackbell.example"],
  ["that the host name allows", "https://other.example"],
])("on a page of another site %s, a browser signs for ours, and nothing is approved", async (_, shown) => {
  const { story } = await protectedStory();
  const device = plugIn();
  expect(await registerWith(story, story.ben, device)).toMatchObject(ready);
  const { address } = await openForBen(story);
  expect(await approveWith(story, address, device, shown)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
  expect(await approveWith(story, address, device)).toMatchObject({ title: counted });
});
