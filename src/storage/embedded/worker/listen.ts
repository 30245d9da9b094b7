import type { MessagePort } from "node:worker_threads";
import { type FromThread, toFailure } from "../protocol.ts";
import { inWords } from "./failures.ts";
import { openFile } from "./file.ts";
import { createService, type FileRequest } from "./serve.ts";

/** Opens the file at `path` and answers what comes through the port, until it says that it closes. */
export function listen(port: MessagePort, path: string): void {
  try {
    serve(port, path);
  } catch (error) {
    port.postMessage({ refused: toFailure(inWords(error)) } satisfies FromThread);
    port.close();
  }
}

function serve(port: MessagePort, path: string): void {
  const say = (word: FromThread): void => port.postMessage(word);
  const db = openFile(path);
  const service = createService(db);
  port.on("message", (request: FileRequest | "close") => {
    if (request === "close") {
      db.close();
      port.close();
      return;
    }
    // Reads do not wait for the disk. Their reply leaves first, so that no caller sees a later state before an earlier one.
    if (request.reads.length > 0) say(service.read(request.reads));
    if (request.writes.length > 0) say(service.write(request.writes));
  });
  say("open");
}
