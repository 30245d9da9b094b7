import { printNumber } from "./lua.ts";

/** A reply in the protocol's second version. A text is a string of bytes, each a character below 256. */
export type Reply = number | string | null | Reply[] | { status: string } | { error: string };

export const okReply: Reply = { status: "OK" };

export function errorReply(error: string): { error: string } {
  return { error };
}

export function isError(reply: Reply): reply is { error: string } {
  return typeof reply === "object" && reply !== null && "error" in reply;
}

/** A double goes as a text. */
export function doubleReply(score: number): string {
  return printNumber(score);
}

export function encodeReply(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encodeReply).join("")}`;
  return "status" in reply ? `+${reply.status}\r\n` : `-${reply.error}\r\n`;
}

export function encodeRequest(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join("")}`;
}

/** Reads from a stream of bytes: gives what `read` finds from a place on and where it ends, as often as it is whole. */
function createStream<T>(read: (text: string, from: number) => [T, number] | undefined): (bytes: string) => T[] {
  let rest = "";
  return (bytes) => {
    rest += bytes;
    const found: T[] = [];
    let at = 0;
    for (let one = read(rest, at); one; one = read(rest, at)) {
      found.push(one[0]);
      at = one[1];
    }
    rest = rest.slice(at);
    return found;
  };
}

/** The requests in a stream: arrays of texts, as every client sends them. */
export const createRequestReader = (): ((bytes: string) => string[][]) =>
  createStream((text, from) => {
    const found = readReply(text, from);
    if (!found) return undefined;
    const [request, end] = found;
    if (!Array.isArray(request)) throw new Error("A request is an array");
    return [request.map(String), end];
  });

export const createReplyReader = (): ((bytes: string) => Reply[]) => createStream(readReply);

function readReply(text: string, from: number): [Reply, number] | undefined {
  const end = text.indexOf("\r\n", from);
  if (end < 0) return undefined;
  const line = text.slice(from + 1, end);
  const after = end + 2;
  switch (text[from]) {
    case ":":
      return [Number(line), after];
    case "+":
      return [{ status: line }, after];
    case "-":
      return [{ error: line }, after];
    case "$": {
      const length = Number(line);
      if (length < 0) return [null, after];
      return text.length < after + length + 2 ? undefined : [text.slice(after, after + length), after + length + 2];
    }
    case "*":
      return readArray(text, after, Number(line));
    default:
      throw new Error(`This is no reply of Redis: ${text.slice(from, from + 40)}`);
  }
}

function readArray(text: string, from: number, length: number): [Reply, number] | undefined {
  if (length < 0) return [null, from];
  const all: Reply[] = [];
  let at = from;
  while (all.length < length) {
    const one = readReply(text, at);
    if (!one) return undefined;
    all.push(one[0]);
    at = one[1];
  }
  return [all, at];
}
