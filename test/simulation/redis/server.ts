import { createServer, type Server, type Socket } from "node:net";
import { isAtLeast } from "./commands.ts";
import type { RedisModel } from "./model.ts";
import { createRequestReader, encodeReply, errorReply, okReply, type Reply } from "./resp.ts";

/** So often a server that does not write at once has its disk take what was written. */
const everySecondMs = 1_000;

/** Carries out a command; one that waits for the disk holds up all that comes behind it on its connection. */
type Execute = (words: readonly string[]) => Reply | Promise<Reply>;

/** Serves a model of Redis to clients, over whatever network and timers this process has. */
export function createRedisServer(model: RedisModel, execute: Execute = (words) => model.execute(words)): Server {
  let flushing: Promise<void> | undefined;

  /** Resolves once the disk has all that was done so far. */
  async function flushed(): Promise<void> {
    if (model.keys.unflushed === 0) return;
    flushing ??= new Promise((resolve) => {
      setTimeout(() => {
        flushing = undefined;
        model.keys.flushed();
        resolve();
      }, everySecondMs);
    });
    return flushing;
  }

  /** After this the server may answer. */
  function keep(): void {
    if (model.settings.appendfsync === "always" || !model.settings.appendOnly) model.keys.flushed();
    else void flushed();
  }

  /** As 7.2 brought it: nobody has compared this with a server. */
  async function waitForDisk([local = "", , patience = ""]: readonly string[]): Promise<Reply> {
    if (!isAtLeast(model.settings.version, 7, 2)) throw new Error("WAITAOF was sent to a server without it");
    if (!model.settings.appendOnly && Number(local) > 0)
      return errorReply("ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
    let late: NodeJS.Timeout | undefined;
    const isLate = new Promise<boolean>((resolve) => {
      late = setTimeout(() => resolve(true), Number(patience));
    });
    const missed = await Promise.race([flushed().then(() => false), isLate]);
    clearTimeout(late);
    return [missed ? 0 : 1, 0];
  }

  function serve(socket: Socket): void {
    const read = createRequestReader();
    const waiting: string[][] = [];
    let transaction: string[][] | undefined;
    let isBusy = false;

    function answer(words: string[]): Reply | Promise<Reply> {
      const name = words[0]?.toUpperCase();
      if (name === "WAITAOF") return waitForDisk(words.slice(1));
      if (name === "MULTI") {
        transaction = [];
        return okReply;
      }
      if (name === "EXEC") {
        const all = transaction ?? [];
        transaction = undefined;
        return all.map((one) => model.execute(one));
      }
      if (!transaction) return execute(words);
      transaction.push(words);
      return { status: "QUEUED" };
    }

    function goOn(): void {
      let answers = "";
      while (!isBusy) {
        const words = waiting.shift();
        if (!words) break;
        const reply = answer(words);
        if (!(reply instanceof Promise)) {
          answers += encodeReply(reply);
          continue;
        }
        isBusy = true;
        reply.then((late) => {
          isBusy = false;
          socket.write(Buffer.from(encodeReply(late), "latin1"));
          goOn();
        });
      }
      keep();
      if (answers !== "") socket.write(Buffer.from(answers, "latin1"));
    }

    socket.on("data", (bytes) => {
      waiting.push(...read(bytes.toString("latin1")));
      goOn();
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
  }

  return createServer(serve);
}
