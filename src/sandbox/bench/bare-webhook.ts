import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

// The least that can take a delivery: it checks the signature and answers. It keeps nothing and knows no delivery again.
const secret = process.env.SIGNING_SECRET ?? "";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const digest = createHmac("sha256", secret).update(Buffer.concat(chunks)).digest("hex");
    const expected = Buffer.from(`hmac-sha256=${digest}`);
    const given = Buffer.from(String(request.headers["x-webhook-signature"]));
    const right = expected.length === given.length && timingSafeEqual(expected, given);
    response.writeHead(right ? 200 : 401).end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.once("SIGTERM", () => process.exit(0));
