import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { challengeOf } from "../../src/process/webauthn/assertion.ts";
import { checkMade, checkSigned, isSignedBy } from "../../src/process/webauthn/check.ts";
import { createAuthenticator, ecKey, type Misbehaviour, rsaKey } from "../stories/passkeys/authenticator.ts";
import { site as at, statement } from "./statements.ts";

const site = { ...at, url: at.origin };

async function make(cose?: Buffer, how: Misbehaviour = {}) {
  const device = createAuthenticator(cose ? { cose } : {});
  const made = await checkMade(device.make({ challenge: "AAAA", ...at }, how), { challenge: "AAAA", site });
  return { device, made };
}

function ofRsa(modulusLength: number, exponent?: string): Buffer {
  const { n = "", e = "" } = generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" });
  return rsaKey(n, exponent ?? e);
}

function ofEc(namedCurve: string) {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" });
  return { x, y };
}

function soundKey(): Buffer {
  const { x, y } = ofEc("P-256");
  return ecKey(x, y);
}

function withByte(key: Buffer, at: number, byte: number): Buffer {
  return Buffer.concat([key.subarray(0, at), Buffer.from([byte]), key.subarray(at + 1)]);
}

/** The same key with a zero before each coordinate, which has one length alone. */
function longKey(key: Buffer): Buffer {
  const zero = (from: number) => Buffer.concat([Buffer.from([0x58, 0x21, 0x00]), key.subarray(from, from + 32)]);
  return Buffer.concat([key.subarray(0, 8), zero(10), key.subarray(42, 43), zero(45)]);
}

/** The algorithms −257 and −7 in CBOR, which have three bytes and one. */
const [rs256, es256] = [Buffer.from([0x39, 0x01, 0x00]), Buffer.from([0x26])];

const b64 = (byte: number) => Buffer.alloc(32, byte).toString("base64url");

test.each([
  ["a point off the curve", () => ecKey(ofEc("P-256").x, ofEc("P-256").y)],
  ["the point zero", () => ecKey(b64(0), b64(0))],
  ["a coordinate that is no number of the field", () => ecKey(b64(255), b64(255))],
  ["a point of another curve", () => ecKey(ofEc("secp256k1").x, ofEc("secp256k1").y)],
  ["a coordinate of more bytes than the field has", () => longKey(soundKey())],
  ["a point that is said to be of another curve", () => withByte(soundKey(), 6, 0x02)],
  [
    "a point whose algorithm is of another kind",
    () => Buffer.concat([soundKey().subarray(0, 4), rs256, soundKey().subarray(5)]),
  ],
  [
    "an RSA key whose algorithm is of another kind",
    () => Buffer.concat([ofRsa(2_048).subarray(0, 4), es256, ofRsa(2_048).subarray(7)]),
  ],
  [
    "the kind of another algorithm",
    () => Buffer.concat([Buffer.from([0xa5, 0x01, 0x03]), ecKey(b64(1), b64(1)).subarray(3)]),
  ],
  ["the RSA exponent 1, under which anybody signs", () => ofRsa(2_048, "AQ")],
  ["the RSA exponent 2", () => ofRsa(2_048, "Ag")],
  ["an even RSA exponent", () => ofRsa(2_048, "AQAA")],
  ["an RSA key of 1,024 bits", () => ofRsa(1_024)],
  ["an RSA key of 2,040 bits", () => ofRsa(2_040)],
])("a passkey whose public key is %s is not made", async (_, cose) => {
  expect((await make(cose())).made).toBeNull();
});

test("a passkey with a sound key of either kind is made", async () => {
  expect((await make(soundKey())).made).not.toBeNull();
  expect((await make(ofRsa(2_048))).made).not.toBeNull();
});

test("a device makes no passkey if it did not verify its user, or if the browser names another one beside it", async () => {
  expect((await make(undefined, { userVerified: false })).made).toBeNull();
  const device = createAuthenticator();
  const answer = { ...device.make({ challenge: "AAAA", ...at }), id: createAuthenticator().id };
  expect(await checkMade(answer, { challenge: "AAAA", site })).toBeNull();
});

test.each([
  { crossOrigin: true },
  { crossOrigin: "true" },
  { topOrigin: "https://evil.test" },
  { crossOrigin: true, topOrigin: at.origin },
])("a page that another site framed makes no passkey and signs nothing: %j", async (client) => {
  expect((await make(undefined, { client })).made).toBeNull();
  const { device, made } = await make();
  if (!made) throw new Error("The passkey is not accepted");
  const signing = { challenge: challengeOf(statement()), ...at };
  expect(await checkSigned(device.sign(signing, { client }), { statement: statement(), key: made })).toBeNull();
  expect(await checkSigned(device.sign(signing), { statement: statement(), key: made })).not.toBeNull();
});

test("of an ES256 signature one form counts, however it was made, and any other of it is refused later", async () => {
  const { device, made } = await make();
  if (!made) throw new Error("The passkey is not accepted");
  const forms = new Set<string>();
  for (let counter = 1; counter <= 20; counter += 1) {
    const answer = device.sign({ challenge: challengeOf(statement()), ...at }, { counter: 100 + counter });
    const signed = await checkSigned(answer, { statement: statement(), key: made });
    if (!signed) throw new Error("The signature is not accepted");
    expect(await isSignedBy(signed.assertion, made)).toBe(true);
    const isSame = signed.assertion.signature === answer.response.signature;
    forms.add(isSame ? "low" : "high");
    if (!isSame)
      expect(await isSignedBy({ ...signed.assertion, signature: answer.response.signature }, made)).toBe(false);
    for (const part of ["authenticatorData", "clientData", "signature"] as const)
      for (const more of ["=", "A"]) {
        const padded = { ...signed.assertion, [part]: `${signed.assertion[part]}${more}` };
        expect(await isSignedBy(padded, made)).toBe(false);
      }
    const id = `${made.id}=`;
    expect(await isSignedBy({ ...signed.assertion, credential: id }, { ...made, id })).toBe(false);
    const longer = { ...answer.response, signature: `${answer.response.signature}AAAA` };
    expect(await checkSigned({ ...answer, response: longer }, { statement: statement(), key: made })).toBeNull();
  }
  expect(forms).toEqual(new Set(["low", "high"]));
});
