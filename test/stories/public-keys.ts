import { randomBytes } from "node:crypto";

/** A public key that opens nothing, whole in every part. */
export function newPublicKey(): string {
  const part = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const blob = Buffer.concat([part(Buffer.from("ssh-ed25519")), part(randomBytes(32))]);
  return `ssh-ed25519 ${blob.toString("base64")}`;
}
