import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** The part of a page's options that an authenticator reads. */
export interface Ceremony {
  challenge: string;
  origin: string;
  rpId: string;
}

/** How an authenticator or its browser misbehaves. */
export interface Misbehaviour {
  userVerified?: boolean;
  counter?: number;
  /** Of the client data, in place of what a browser writes on a page that nobody frames. */
  client?: object;
}

/**
 * A security key in software: it makes one passkey (ES256) and signs with it, as WebAuthn Level 3 (sections 6.1 and 6.5) has it. `id`:
 * the credential that it claims; `cose`: the public key that it claims.
 */
export function createAuthenticator({ id = randomBytes(32), cose }: { id?: Buffer; cose?: Buffer } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let uses = 0;

  function authenticatorData(rpId: string, { userVerified = true, counter }: Misbehaviour, made = Buffer.alloc(0)) {
    uses += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? uses);
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (made.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, made]);
  }

  return {
    id: id.toString("base64url"),
    /** The browser's answer that makes the passkey. */
    make({ challenge, origin, rpId }: Ceremony, how: Misbehaviour = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const made = Buffer.concat([Buffer.alloc(16), length, id, cose ?? ecKey(x, y)]);
      const data = authenticatorData(rpId, how, made);
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0])],
        ...[text("authData"), head(0x40, data.length), data],
      ]);
      return {
        id: id.toString("base64url"),
        response: {
          attestationObject: attestation.toString("base64url"),
          clientDataJSON: clientData("webauthn.create", challenge, origin, how).toString("base64url"),
          transports: ["usb"],
        },
      };
    },
    /** The browser's answer that signs the challenge. */
    sign({ challenge, origin, rpId }: Ceremony, how: Misbehaviour = {}) {
      const data = authenticatorData(rpId, how);
      const client = clientData("webauthn.get", challenge, origin, how);
      const signature = createSign("sha256").update(data).update(sha256(client)).sign(privateKey);
      return {
        id: id.toString("base64url"),
        response: {
          authenticatorData: data.toString("base64url"),
          clientDataJSON: client.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

function clientData(type: string, challenge: string, origin: string, { client = {} }: Misbehaviour): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...client }));
}

function sha256(of: string | Buffer): Buffer {
  return createHash("sha256").update(of).digest();
}

/** A COSE key of kind EC2 for ES256 on P-256 (RFC 9053, section 7.1.1). */
export function ecKey(x: string, y: string): Buffer {
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, "base64url")]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ]);
}

/** A COSE key of kind RSA for RS256 (RFC 8230, section 4). */
export function rsaKey(n: string, e: string): Buffer {
  const number = (label: number, value: string) => {
    const bytes = Buffer.from(value, "base64url");
    return Buffer.concat([Buffer.from([label]), head(0x40, bytes.length), bytes]);
  };
  return Buffer.concat([Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00]), number(0x20, n), number(0x21, e)]);
}

function text(of: string): Buffer {
  return Buffer.concat([head(0x60, of.length), Buffer.from(of)]);
}

/** The head of a CBOR text or byte string (RFC 8949, section 3.1). */
function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.from([kind | length]);
  if (length < 256) return Buffer.from([kind | 24, length]);
  return Buffer.from([kind | 25, length >> 8, length & 0xff]);
}
