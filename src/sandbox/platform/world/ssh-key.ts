import { createHash, randomUUID } from "node:crypto";

export interface SshKey {
  id: string;
  holder: string;
  project_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: string;
}

const publicKey = /^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp\d+|sk-\S+) [A-Za-z0-9+/=]{20,}( .*)?$/;

/** True for an OpenSSH public key. */
export function isPublicKey(text: string): boolean {
  return publicKey.test(text);
}

/** The platform does not store the comment at its end. */
export function newSshKey({
  text,
  ...facts
}: Omit<SshKey, "id" | "public_key" | "fingerprint"> & { text: string }): SshKey {
  const [kind = "", blob = ""] = text.split(" ");
  const digest = createHash("sha256").update(Buffer.from(blob, "base64")).digest("base64").replace(/=+$/, "");
  return {
    id: randomUUID(),
    ...facts,
    public_key: `${kind} ${blob}`,
    fingerprint: `SHA256:${digest}`,
  };
}
