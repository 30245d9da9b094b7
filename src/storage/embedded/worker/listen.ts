import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { type FromThread, toFailure } from "../protocol.ts";
import { inWords } from "./failures.ts";
import { openFile } from "./file.ts";
import { createService, type Request } from "./serve.ts";

/** A limit, so that new requests do not wait for one long transaction. */
const mostWritesTogether = 1_000;

/** Takes the requests that have arrived so far: they share one transaction and one disk write. Later ones go into the next. */
function taken(port: MessagePort, first: Request | "close"): { requests: Request[]; closing: boolean } {
  const requests: Request[] = [];
  let writes = 0;
  for (let message: Request | "close" | undefined = first; message !== undefined; ) {
    if (message === "close") return { requests, closing: true };
    requests.push(message);
    writes += message.writes.length;
    message = writes < mostWritesTogether ? receiveMessageOnPort(port)?.message : undefined;
  }
  return { requests, closing: false };
}

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
  port.on("message", (first: Request | "close") => {
    const { requests, closing } = taken(port, first);
    const reading = requests.filter(({ reads }) => reads.length > 0);
    const writing = requests.filter(({ writes }) => writes.length > 0);
    // Reads do not wait for the disk. Their replies leave first, so that no caller sees a later state before an earlier one.
    if (reading.length > 0) say({ replies: reading.map(service.read) });
    if (writing.length > 0) say({ replies: service.write(writing) });
    if (!closing) return;
    db.close();
    port.close();
  });
  say("open");
}
