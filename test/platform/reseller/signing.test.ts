import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  signatureHeaders,
  signatureOf,
  signedContent,
  signingSecretForm,
  verifySignature,
} from "../../../src/platform/reseller/signing.ts";

/** A made-up secret: "ab12" sixteen times. */
const secret = "ab12".repeat(16);

// Computed with `printf '%s' "<content>" | openssl dgst -sha256 -hmac "$secret"`, OpenSSL 3.
const vectors = [
  {
    what: "a body with its timestamp",
    content: '1795293590.{"externalCustomerId":"acme","n":1}',
    digest: "9ebdedb192088187235941ff9642f45c7d43b69f8c7475857e0d7a78e93299ee",
  },
  {
    what: "no body, over nothing behind the timestamp",
    content: "1795293590.",
    digest: "d0ee8f894f48a299e66f46e73a5578e35595d116d10631eec34e101969b52ee1",
  },
  {
    what: "a raw body, as deliveries are signed",
    content: '{"externalCustomerId":"acme","n":1}',
    digest: "7ae0ef0784418e8eeac790bf453e97e6f1009812b774d8aa985b0c7829e6f9bd",
  },
  {
    what: "characters of more than one byte",
    content: '1795293590.{"externalCustomerName":"Ümlaut 🚀"}',
    digest: "81a3751d6cc16a323ecea525f70ab5572f3c039abd43d7704f963a9a300234bb",
  },
];

describe("a signature", () => {
  test.each(vectors)("of $what is what openssl makes of it", ({ content, digest }) => {
    expect(signatureOf(secret, content)).toBe(`hmac-sha256=${digest}`);
    expect(verifySignature(secret, Buffer.from(content), `hmac-sha256=${digest}`)).toBe(true);
  });

  test("is over the timestamp in seconds and the exact body, or over nothing where there is none", () => {
    const at = 1_795_293_590_999;
    expect(signatureHeaders(secret, '{"externalCustomerId":"acme","n":1}', at)).toEqual({
      "x-reseller-timestamp": "1795293590",
      "x-reseller-signature": `hmac-sha256=${vectors[0]?.digest}`,
    });
    expect(signatureHeaders(secret, undefined, at)["x-reseller-signature"]).toBe(`hmac-sha256=${vectors[1]?.digest}`);
    expect(signedContent("1795293590", undefined)).toBe("1795293590.");
  });

  test("of any other text, under any other secret, or of any other form is refused and throws nothing", () => {
    const other = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(other, other, other, (content, sent, signature) => {
        const own = createHmac("sha256", secret).update(content).digest("hex");
        expect(verifySignature(secret, Buffer.from(content), `hmac-sha256=${own}`)).toBe(true);
        expect(verifySignature(secret, Buffer.from(content), signature)).toBe(false);
        expect(verifySignature(secret, Buffer.from(content), own)).toBe(false);
        expect(verifySignature(secret, Buffer.from(sent), `hmac-sha256=${own}`)).toBe(
          Buffer.from(sent).equals(Buffer.from(content)),
        );
      }),
    );
  });

  test("is made with a secret of 64 hex characters, and no other text is taken for one", () => {
    for (const yes of [secret, secret.toUpperCase()]) expect(signingSecretForm.test(yes)).toBe(true);
    for (const no of [secret.slice(1), `${secret}0`, `rsk_${secret.slice(4)}`])
      expect(signingSecretForm.test(no)).toBe(false);
  });
});
