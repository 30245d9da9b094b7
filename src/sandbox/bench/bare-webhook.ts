import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { openAppend } from "./append.ts";

// The least that can take a delivery: it checks the signature, appends the body to a file, and answers. It takes the same delivery twice.
const secret = process.env.SIGNING_SECRET ?? "";
const append = await openAppend(process.env.FILE ?? "");

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const body = Buffer.concat(chunks);
    const digest = createHmac("sha256", secret).update(body).digest("hex");
    const expected = Buffer.from(`hmac-sha256=${digest}`);
    const given = Buffer.from(String(request.headers["x-webhook-signature"]));
    const right = expected.length === given.length && timingSafeEqual(expected, given);
    if (right) await append(body.toString());
    response.writeHead(right ? 200 : 401).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.once("SIGTERM", () => process.exit(0));
