import { createHmac, hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { createSigner } from "../../src/process/signer.ts";

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test("a signature is right only with its key, for its purpose and for its text", () => {
  const signer = createSigner({ key }, "record");
  const signature = signer.sign("a text");
  expect(signer.check("a text", signature)).toBe("right");
  expect(signer.check("a texT", signature)).toBe("wrong");
  expect(signer.check("a text", { ...signature, mac: `${signature.mac}=` })).toBe("wrong");
  expect(createSigner({ key }, "another").check("a text", signature)).toBe("unknown key");
  expect(createSigner({ key: otherKey }, "record").check("a text", signature)).toBe("unknown key");
});

test("while keys are exchanged either checks what both signed, and the former one signs nothing alone", () => {
  const exchanging = createSigner({ key: otherKey, previous: key }, "record");
  const before = createSigner({ key }, "record");
  const after = createSigner({ key: otherKey }, "record");
  const both = exchanging.signWithAll("a text");
  expect(both.map((signature) => before.check("a text", signature))).toEqual(["unknown key", "right"]);
  expect(both.map((signature) => after.check("a text", signature))).toEqual(["right", "unknown key"]);
  expect(after.check("a text", exchanging.sign("a text"))).toBe("right");
  expect(exchanging.check("a text", before.sign("a text"))).toBe("right");
});

test("it is HMAC-SHA256 under a key that HKDF derives, so that anybody can check it by other means", () => {
  const derived = Buffer.from(hkdfSync("sha256", key, "", "rackbell record", 32));
  expect(createSigner({ key }, "record").sign("a text").mac).toBe(
    createHmac("sha256", derived).update("a text").digest("base64url"),
  );
});
