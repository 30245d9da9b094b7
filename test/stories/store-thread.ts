/** One thread for the files of all stories of a worker: each has a port of its own. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { listen } from "../../src/storage/embedded/worker/listen.ts";

parentPort?.on("message", ({ port, path }: { port: MessagePort; path: string }) => listen(port, path));
