import { hash } from "node:crypto";
import { runCommand, type Server, type ServerSettings } from "./commands.ts";
import { createKeyspace, type Keyspace } from "./keyspace.ts";
import { errorReply, type Reply } from "./resp.ts";
import { runScript } from "./script.ts";

/** A Redis as the product knows it: its data, its scripts and its clock, without a network. */
export interface RedisModel {
  /** Carries out one command, whose words are texts of bytes. */
  execute(words: readonly string[]): Reply;
  keys: Keyspace;
  settings: ServerSettings;
  /** It refuses all that needs memory. */
  full: boolean;
  /** It refuses everything with these words, as while it loads its data; null if it does not. */
  refusal: string | null;
  /** It ends and begins anew, with its data. Of the commands that its disk has not confirmed the first `kept` are left. */
  restart(kept: number): void;
}

/** As the server that the model is compared with. */
export const usualSettings: ServerSettings = {
  version: "7.0.15",
  appendOnly: true,
  appendfsync: "always",
  eviction: "noeviction",
};

/** Without `expires` no key ever ends by itself. */
export function createRedisModel(
  now: () => number,
  settings: ServerSettings = usualSettings,
  { expires = true } = {},
): RedisModel {
  const keys = createKeyspace(expires ? now : () => Number.NEGATIVE_INFINITY);
  const server: Server = { keys, now, full: false, settings: { ...settings } };
  const scripts = new Map<string, string>();

  function evaluate(name: string, [source = "", count = "", ...rest]: readonly string[]): Reply {
    const isKnown = name.startsWith("EVALSHA");
    const text = isKnown ? scripts.get(source.toLowerCase()) : source;
    if (text === undefined) return errorReply("NOSCRIPT No matching script. Please use EVAL.");
    if (!isKnown) scripts.set(hash("sha1", Buffer.from(text, "latin1")), text);
    const keys = rest.slice(0, Number(count));
    return runScript(server, { text, keys, args: rest.slice(keys.length), reads: name.endsWith("_RO") });
  }

  return {
    keys: server.keys,
    settings: server.settings,
    refusal: null,
    get full() {
      return server.full;
    },
    set full(full) {
      server.full = full;
    },
    execute(words) {
      const [name = "", ...args] = words;
      if (this.refusal !== null) return errorReply(this.refusal);
      server.keys.begin();
      const evaluates = /^EVAL(?:SHA)?(?:_RO)?$/i.test(name);
      return evaluates ? evaluate(name.toUpperCase(), args) : runCommand(server, words);
    },
    restart(kept) {
      server.keys.cut(kept);
      // Scripts are not on the disk.
      scripts.clear();
    },
  };
}
