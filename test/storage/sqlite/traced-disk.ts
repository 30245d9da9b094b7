import { basename, dirname } from "node:path";
import type { Draws } from "../../torture/draws.ts";

/** One call of a program, as strace writes it down. */
interface Call {
  name: string;
  path: string;
  line: string;
  /** True for the first of two lines: others came between its begin and its end. */
  begins: boolean;
  ends: boolean;
}

type Write = { at: number; bytes: Buffer } | { size: number };

interface Content {
  memory: Buffer;
  size: number;
}

interface TracedFile {
  /** The part that the disk has for sure. */
  kept: Content;
  /** The writes since, of which a power cut keeps some. */
  since: Write[];
  /** How much of that the flush under way covers. */
  covered: number;
  /** False until its folder was flushed: then a power cut may take its name. */
  isNamed: boolean;
  isDeleted: boolean;
}

/** The words of a program, and the part of its files that is on the disk, call by call. */
export interface TracedDisk {
  said: string[];
  /** The calls that concern the files, such as "fdatasync store.db-wal". */
  calls: string[];
  step(line: string): void;
  /** The files as a power cut now would leave them. */
  cut(draws: Draws): Map<string, Buffer>;
}

/** `folder`: that of the files. Lines come from `strace -f -y -xx -s 70000`. */
export function createTracedDisk(folder: string): TracedDisk {
  const files = new Map<string, TracedFile>();
  const said: string[] = [];
  const calls: string[] = [];
  const unfinished = new Map<string, Call>();

  function fileOf(path: string): TracedFile {
    const file = files.get(path) ?? {
      kept: { memory: Buffer.alloc(0), size: 0 },
      since: [],
      covered: 0,
      isNamed: false,
      isDeleted: false,
    };
    files.set(path, file);
    return file;
  }

  function carryOut({ name, path, line, begins, ends }: Call): void {
    if (name === "write" && line.includes(" write(1<")) {
      if (!begins) return;
      said.push(...bytesIn(line).toString().split("\n").filter(Boolean));
      return;
    }
    if (path === folder && name === "fsync" && ends)
      for (const [of, file] of files) {
        file.isNamed = true;
        if (file.isDeleted) files.delete(of);
      }
    if (dirname(path) !== folder || path.endsWith("-shm") || path.endsWith("-lock")) return;
    const file = fileOf(path);
    if (name === "unlink" && ends) file.isDeleted = true;
    if (ends && name !== "openat") calls.push(`${name} ${basename(path)}`);
    if (name === "pwrite64" && ends)
      file.since.push({ at: Number(/, (\d+)\) += \d+$/.exec(line)?.[1]), bytes: bytesIn(line) });
    if (name === "ftruncate" && ends) file.since.push({ size: Number(/, (\d+)\) += 0$/.exec(line)?.[1]) });
    if (name !== "fdatasync" && name !== "fsync") return;
    // It is sure of what was written before it began alone.
    if (begins) file.covered = file.since.length;
    if (ends) for (const write of file.since.splice(0, file.covered)) file.kept = written(file.kept, write);
  }

  return {
    said,
    calls,
    step(line) {
      const call = callIn(line);
      if (!call) return;
      const [thread = ""] = line.split(" ");
      if (call.begins && !call.ends) unfinished.set(thread, call);
      const begun = unfinished.get(thread);
      if (call.begins) carryOut(call);
      else if (begun)
        carryOut({
          ...begun,
          line: begun.line.replace(" <unfinished ...>", line.slice(line.indexOf("resumed>") + 8)),
          begins: false,
          ends: true,
        });
    },
    cut(draws) {
      const left = new Map<string, Buffer>();
      for (const [path, { kept, since, isNamed, isDeleted }] of files) {
        if (!isNamed || (isDeleted && draws.chance(0.5))) continue;
        let image: Content = { memory: Buffer.from(kept.memory), size: kept.size };
        const first = draws.between(0, since.length);
        const keeps = draws.pick([() => draws.chance(0.5), (at: number) => at >= first, (at: number) => at < first]);
        for (const [at, write] of since.entries()) if (keeps(at)) image = written(image, torn(write, draws));
        left.set(basename(path), image.memory.subarray(0, image.size));
      }
      return left;
    },
  };
}

function callIn(line: string): Call | undefined {
  const resumed = /^\d+ +<\.\.\. (\w+) resumed>/.exec(line)?.[1];
  if (resumed !== undefined && !line.endsWith("= ?"))
    return { name: resumed, path: "", line, begins: false, ends: true };
  const deleted = /^\d+ +unlink\("([^"]*)"\) += 0$/.exec(line)?.[1];
  if (deleted !== undefined) return { name: "unlink", path: textOf(deleted), line, begins: true, ends: true };
  const [, name, path] = /^\d+ +(\w+)\(\w+<([^>]*)>/.exec(line) ?? [];
  if (name === undefined || path === undefined) return undefined;
  const opened = name === "openat" ? /= \d+<([^>]*)>/.exec(line)?.[1] : path;
  if (opened === undefined) return undefined;
  // "?": the process was killed in it.
  const ends = !line.endsWith("<unfinished ...>") && !line.endsWith("= ?");
  return { name, path: textOf(opened), line, begins: true, ends };
}

function textOf(escaped: string): string {
  return escaped.startsWith("\\x") ? Buffer.from(escaped.replaceAll("\\x", ""), "hex").toString() : escaped;
}

function bytesIn(line: string): Buffer {
  return Buffer.from((/"((?:\\x[0-9a-f]{2})*)"/.exec(line)?.[1] ?? "").replaceAll("\\x", ""), "hex");
}

/** The content with the write in it; the memory is used again. */
function written({ memory, size }: Content, write: Write): Content {
  if ("size" in write) return { memory: memory.fill(0, Math.min(size, write.size), size), size: write.size };
  const end = write.at + write.bytes.length;
  const enough = end <= memory.length ? memory : Buffer.concat([memory, Buffer.alloc(2 * end - memory.length)]);
  write.bytes.copy(enough, write.at);
  return { memory: enough, size: Math.max(size, end) };
}

/** A disk writes whole sectors of 512 bytes, and of a page perhaps only some. */
function torn(write: Write, draws: Draws): Write {
  if ("size" in write || draws.chance(0.7)) return write;
  return { at: write.at, bytes: write.bytes.subarray(0, 512 * draws.between(0, Math.floor(write.bytes.length / 512))) };
}
