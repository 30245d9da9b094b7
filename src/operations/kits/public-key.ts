import * as z from "#zod";

const kinds =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com)$/;

/** A typed public key; its words are the caller's. */
export const publicKeyField = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const message = faultOf(text);
    if (message) context.addIssue({ code: "custom", message });
  });

/** The fault in a text as an OpenSSH public key, as the end of a sentence; null if it is valid. */
function faultOf(text: string): string | null {
  if (/PRIVATE KEY/.test(text))
    return "that is a private key, and it was seen here: stop using it. The public one is in the file that ends in .pub.";
  if (/[\r\n]/.test(text)) return "one key, on one line.";
  const [kind = "", blob = ""] = text.split(/ +/);
  if (!kinds.test(kind)) return "a public key begins with its kind, such as ssh-ed25519 or ssh-rsa.";
  const bytes = Buffer.from(blob, "base64");
  const whole = /^[A-Za-z0-9+/]+={0,2}$/.test(blob) && blob.length % 4 === 0;
  if (!whole || !isOfKind(bytes, kind)) return "the key is cut off or damaged. Copy the whole line.";
  return null;
}

/** The decoded key consists of parts, each after its length. The first part repeats the kind. */
function isOfKind(bytes: Buffer, kind: string): boolean {
  let at = 0;
  let parts = 0;
  while (at + 4 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (parts === 0 && bytes.toString("latin1", 4, 4 + length) !== kind) return false;
    at += 4 + length;
    parts += 1;
  }
  return parts > 1 && at === bytes.length;
}
