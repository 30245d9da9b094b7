// storage/embedded/worker/: the code of the store's thread: schema, statements, commits.
// May import: storage/, storage/embedded/.

/** The thread that has the file open. No other thread touches the file, and the process never blocks on it. */
import { parentPort, workerData } from "node:worker_threads";
import { listen } from "./listen.ts";

if (parentPort) listen(parentPort, String(workerData));
