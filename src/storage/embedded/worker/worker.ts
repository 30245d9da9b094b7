// storage/embedded/worker/: what runs in the thread that has the file: schema, statements, commits.
// May import: storage/, storage/embedded/.

/** The thread that has the file: nothing else touches it, and nothing in the process waits while it does. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { type FromThread, toFailure } from "../protocol.ts";
import { inWords } from "./failures.ts";
import { openFile } from "./file.ts";
import { createService, type Request } from "./serve.ts";

/** So that what is asked meanwhile does not wait for one long transaction. */
const mostWritesTogether = 1_000;

/** Takes what has come so far: it shares one transaction, and one wait for the disk. Whatever comes during that waits for the next. */
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

function serve(port: MessagePort, path: string): void {
  const say = (word: FromThread): void => port.postMessage(word);
  const db = openFile(path);
  const service = createService(db);
  port.on("message", (first: Request | "close") => {
    const { requests, closing } = taken(port, first);
    const reading = requests.filter(({ reads }) => reads.length > 0);
    const writing = requests.filter(({ writes }) => writes.length > 0);
    // Reads do not wait for the disk. Their answers leave first, so that nobody hears of a later state before an earlier one.
    if (reading.length > 0) say({ replies: reading.map(service.read) });
    if (writing.length > 0) say({ replies: service.write(writing) });
    if (!closing) return;
    db.close();
    port.close();
  });
  say("open");
}

if (parentPort) {
  try {
    serve(parentPort, String(workerData));
  } catch (error) {
    parentPort.postMessage({ refused: toFailure(inWords(error)) } satisfies FromThread);
    parentPort.close();
  }
}
