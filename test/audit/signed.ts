import type { AuditEntry } from "../../src/audit/entry.ts";
import type { AuditKind } from "../../src/audit/kinds.ts";
import {
  type Assertion,
  challengeOf,
  type RegisteredPasskey,
  type Statement,
} from "../../src/process/webauthn/assertion.ts";
import { checkMade, checkSigned } from "../../src/process/webauthn/check.ts";
import { site, statement } from "../passkeys/statements.ts";
import { createAuthenticator } from "../stories/passkeys/authenticator.ts";

let made = 0;

/** An entry that says what the assertion signed. */
export function entry(what: AuditKind, member: string, more: Partial<AuditEntry> = {}) {
  const whose = { member, slackUser: member.slice(3), decidedBy: member, keyLabel: "key" };
  const about = { command: "vps cancel", target: null, outcome: "", request: "r1" };
  return { at: 1_000, entry: { what, ...whose, ...about, ...more } };
}

/** A device with a passkey of the member, and what it signs. `id`: the credential that it claims to be. */
export async function passkeyOf(member: string, proof: RegisteredPasskey["proof"] = "key", id?: string) {
  const device = createAuthenticator(id ? { id: Buffer.from(id, "base64url") } : {});
  const key = await checkMade(device.make({ challenge: "AAAA", ...site }), {
    challenge: "AAAA",
    site: { ...site, url: site.origin },
  });
  if (!key) throw new Error("The passkey is not accepted");
  const { id: credential, publicKey } = key;
  const passkey: RegisteredPasskey = { is: "registered", member, credential, publicKey, ...site, proof };
  async function sign(differs: Partial<Statement> = {}): Promise<Assertion> {
    made += 1;
    const signing = statement({ random: `r${made}`, member, requester: member, ...differs });
    const { origin, rpId } = signing;
    const answer = device.sign({ challenge: challengeOf(signing), origin, rpId });
    const signed = await checkSigned(answer, { statement: signing, key: { id: credential, publicKey, counter: 0 } });
    if (!signed) throw new Error("The signature is not accepted");
    return signed.assertion;
  }
  return { passkey, sign };
}

export const registering = { entries: ["passkey added"], request: null, command: "rackbell passkeys" };
export const registration = { request: null, command: "rackbell passkeys" };

/** The entry of a passkey that its member's linked key proved: it signs for itself. */
export async function added({ passkey, sign }: Awaited<ReturnType<typeof passkeyOf>>, member: string) {
  const assertion = await sign({ ...registering, passkeys: [passkey] });
  return entry("passkey added", member, { ...registration, passkeys: [passkey], assertion });
}
