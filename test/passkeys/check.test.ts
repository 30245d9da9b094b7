import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { challengeOf } from "../../src/webauthn/assertion.ts";
import { checkMade, checkSigned, isSignedBy } from "../../src/webauthn/check.ts";
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

const b64 = (byte: number) => Buffer.alloc(32, byte).toString("base64url");

test.each([
  ["a point off the curve", () => ecKey(ofEc("P-256").x, ofEc("P-256").y)],
  ["the point zero", () => ecKey(b64(0), b64(0))],
  ["a coordinate that is no number of the field", () => ecKey(b64(255), b64(255))],
  ["a point of another curve", () => ecKey(ofEc("secp256k1").x, ofEc("secp256k1").y)],
  [
    "the kind of another algorithm",
    () => Buffer.concat([Buffer.from([0xa5, 0x01, 0x03]), ecKey(b64(1), b64(1)).subarray(3)]),
  ],
  ["the RSA exponent 1, under which anybody signs", () => ofRsa(2_048, "AQ")],
  ["an even RSA exponent", () => ofRsa(2_048, "Ag")],
  ["an RSA key of 1,024 bits", () => ofRsa(1_024)],
  ["an RSA key of 2,040 bits", () => ofRsa(2_040)],
])("a passkey whose public key is %s is not made", async (_, cose) => {
  expect((await make(cose())).made).toBeNull();
});

test("a passkey with a sound key of either kind is made", async () => {
  const { x, y } = ofEc("P-256");
  expect((await make(ecKey(x, y))).made).not.toBeNull();
  expect((await make(ofRsa(2_048))).made).not.toBeNull();
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
