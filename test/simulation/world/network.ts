import { Agent } from "node:http";
import net from "node:net";
import { Duplex } from "node:stream";
import { currentProcess, deliverTo, type Process } from "./processes.ts";
import type { Schedule } from "./schedule.ts";

/** The connections of a simulated world: real HTTP parsers on both sides, and every chunk an event. */
export interface Network {
  /** Names who listens on a port; what has no name is the app. */
  name(port: number, who: string): void;
  /** A process dies: nobody answers on its ports any more, and all that it was connected to is cut after what it had sent. */
  kill(process: Process): void;
  /** Nothing gets through between two processes any more, and neither of them learns of it. */
  part(one: Process, other: Process): void;
  /** Everything gets through again, and so does what was on its way. */
  join(): void;
  /** Cuts all connections to a process; the answers that it has given, and that are on their way, are lost. */
  loseAnswers(of: Process): void;
  /** Cuts one open connection that the draws pick. */
  cutOne(): void;
  /** Each new connection gets a delay of its own out of these, in milliseconds; none at first. */
  delays: readonly [number, ...number[]];
  /** The present listener is not the app: it is Slack, or the platform. */
  outside: boolean;
  /** A connection over the machine's own network, to something real on it. */
  connectForReal(port: number): net.Socket;
  /** Called whenever bytes have arrived somewhere. */
  onTraffic: () => void;
  /** Ends what is still connected: the clients of a process keep their connections, and with them all of a world. */
  end(): void;
  begin(): void;
}

/**
 * The app's ports, a new one at each start: Slack's side keeps connections to the app by their origin. One comes again only after so many
 * starts that nothing is left of its first use; beyond the last there is none.
 */
const [firstPort, highestPort] = [50_000, 65_000];

/** Replaces `net.connect` and the listening of servers, for the whole process. */
export function installNetwork(schedule: Schedule): Network {
  const servers = new Map<number, net.Server>();
  const names = new Map<number, string>();
  const ports = new WeakMap<net.Server, number>();
  const owners = new WeakMap<net.Server, Process | null>();
  /** The processes that are parted, and what waits until they are joined. */
  let parted: { between: readonly [Process, Process]; waiting: (() => void)[] }[] = [];
  const open = new Set<Connection>();
  /** Asked for by the app, and accepted by nobody yet. */
  const begun = new Set<Connection>();
  /** Also those that nobody has accepted yet, and those whose process has died. */
  const ends = new Set<End>();
  let lastPort = firstPort;
  // The same in every round, so that a saved world finds its addresses again.
  let outsidePort = 40_000;
  let connections = 0;

  interface Connection {
    port: number;
    near: End;
    far: End;
  }

  class End extends Duplex {
    readonly round = schedule.round;
    readonly queue: string;
    readonly delayMs: number;
    peer: End | null = null;
    owner: Process | null = null;
    from = "?";
    to = "?";
    /** Its client gives up a silent connection by the time of its socket. */
    timed = false;
    #idleMs = 0;
    #callOffIdle = () => {};
    /** Its process has died: what it writes goes nowhere. */
    dead = false;
    connecting = false;
    readonly #underWay = new Set<() => void>();
    readonly remoteAddress = "127.0.0.1";
    readonly remotePort = 1;
    readonly localAddress = "127.0.0.1";
    readonly localPort = 2;

    constructor(queue: string, delayMs: number) {
      super({ allowHalfOpen: true });
      this.queue = queue;
      this.delayMs = delayMs;
      ends.add(this);
    }

    #send(label: string, run: (peer: End) => void, bytes = false): void {
      if (this.dead || this.round !== schedule.round) return;
      const event = () =>
        schedule.add(this.queue, label, () => {
          const { peer } = this;
          if (isHeldBack(this.owner, peer?.owner ?? null, event)) return;
          if (peer && !peer.destroyed && !peer.dead)
            deliverTo(peer.owner, "bytes", () => {
              if (!peer.destroyed) run(peer);
            });
          if (bytes) network.onTraffic();
        });
      if (this.delayMs === 0) {
        event();
        return;
      }
      const arrive = () => {
        this.#underWay.delete(arrive);
        callOff();
        event();
      };
      const callOff = schedule.after(this.delayMs, arrive);
      this.#underWay.add(arrive);
    }

    /** Chunks on their way arrive at once: a dead process sends nothing after the next one has started. */
    hurry(): void {
      for (const arrive of [...this.#underWay]) arrive();
    }

    /** All that it has sent and nobody has received is lost. */
    lose(): void {
      this.#underWay.clear();
      schedule.drop((queue) => queue === this.queue);
    }

    override _read(): void {}

    override push(chunk: unknown): boolean {
      this.#isActive();
      return super.push(chunk);
    }

    override _write(chunk: Buffer, encoding: BufferEncoding, done: () => void): void {
      this.#isActive();
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, encoding);
      this.#send(`${this.from} → ${this.to}  ${labelOf(bytes)}`, (peer) => peer.push(bytes), true);
      done();
    }

    override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: () => void): void {
      const all = chunks.map(({ chunk, encoding }) => (Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, encoding)));
      this._write(Buffer.concat(all), "utf8", done);
    }

    override _final(done: () => void): void {
      this.#send(`${this.from} → ${this.to}  end`, (peer) => peer.push(null));
      done();
    }

    override _destroy(error: Error | null, done: (error: Error | null) => void): void {
      this.#callOffIdle();
      this.#send(`${this.from} → ${this.to}  close`, (peer) => peer.destroy());
      ends.delete(this);
      done(error);
    }

    resetAndDestroy(): this {
      return this.destroy();
    }
    ref(): this {
      return this;
    }
    unref(): this {
      return this;
    }
    setKeepAlive(): this {
      return this;
    }
    setNoDelay(): this {
      return this;
    }
    setTimeout(ms: number): this {
      this.#idleMs = this.timed ? ms : 0;
      this.#isActive();
      return this;
    }

    #isActive(): void {
      this.#callOffIdle();
      if (this.#idleMs === 0 || this.destroyed) return;
      this.#callOffIdle = schedule.after(this.#idleMs, () =>
        deliverTo(this.owner, "timer", () => void this.emit("timeout")),
      );
    }
  }

  /** True if the two are parted: `event` comes again when they are joined. */
  function isHeldBack(one: Process | null, other: Process | null, event: () => void): boolean {
    const line = parted.find(({ between }) => between.every((each) => each === one || each === other));
    line?.waiting.push(event);
    return line !== undefined;
  }

  function connect(...args: unknown[]): End {
    connections += 1;
    const [first] = args;
    const port = Number(typeof first === "object" && first !== null && "port" in first ? first.port : first);
    const { delays } = network;
    const delayMs = delays.length > 1 ? (delays[schedule.draws.delays.between(0, delays.length - 1)] ?? 0) : delays[0];
    const near = new End(`net ${connections} >`, delayMs);
    const far = new End(`net ${connections} <`, delayMs);
    near.connecting = true;
    near.peer = far;
    far.peer = near;
    const to = names.get(port) ?? "app";
    const from = to === "app" ? "outside" : "app";
    const owner = currentProcess();
    Object.assign(near, { from, to, owner, timed: to === "redis" });
    Object.assign(far, { from: to, to: from });
    const connection = { port, near, far };
    if (from === "app") begun.add(connection);
    const arrive = () =>
      schedule.add(near.queue, `${from} → ${to}  connect`, () => {
        const server = servers.get(port);
        far.owner = (server && owners.get(server)) ?? null;
        if (isHeldBack(owner, far.owner, arrive)) return;
        near.connecting = false;
        begun.delete(connection);
        if (near.dead || near.destroyed) return;
        if (!server) {
          const refused = Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: "ECONNREFUSED" });
          deliverTo(owner, "bytes", () => void near.destroy(refused));
          return;
        }
        open.add(connection);
        far.once("close", () => open.delete(connection));
        deliverTo(far.owner, "bytes", () => void server.emit("connection", far));
        deliverTo(owner, "bytes", () => {
          near.emit("connect");
          near.emit("ready");
        });
      });
    arrive();
    const listener = args.find((one) => typeof one === "function");
    if (typeof listener === "function") near.once("connect", () => Reflect.apply(listener, near, []));
    return near;
  }

  const realConnect = net.createConnection;
  Object.assign(net, { connect, createConnection: connect });
  Object.assign(Agent.prototype, { createConnection: (...args: unknown[]) => connect(...args) });
  Object.assign(net.Server.prototype, {
    listen(this: net.Server, ...args: unknown[]) {
      const port = Number(args[0]) || freePort();
      ports.set(this, port);
      owners.set(this, currentProcess());
      servers.set(port, this);
      const listener = args.find((one) => typeof one === "function");
      if (typeof listener === "function") this.once("listening", () => Reflect.apply(listener, this, []));
      process.nextTick(() => this.emit("listening"));
      return this;
    },
    address(this: net.Server) {
      return { port: ports.get(this), address: "127.0.0.1", family: "IPv4" };
    },
    close(this: net.Server, done?: () => void) {
      servers.delete(ports.get(this) ?? 0);
      process.nextTick(() => {
        done?.();
        this.emit("close");
      });
      return this;
    },
  });

  function freePort(): number {
    if (network.outside) outsidePort += 1;
    else lastPort = lastPort < highestPort ? lastPort + 1 : firstPort;
    return network.outside ? outsidePort : lastPort;
  }

  /** The process at one end has died: the other end sees it go, after all that was on its way. */
  function die(end: End, peer: End): void {
    if (end.dead) return;
    end.hurry();
    end.dead = true;
    schedule.add(end.queue, `${end.from} → ${end.to}  cut`, () => cut(peer));
  }

  function cut(end: End): void {
    deliverTo(end.owner, "bytes", () => {
      if (!end.destroyed) end.destroy(reset());
    });
  }

  const network: Network = {
    delays: [0],
    outside: false,
    connectForReal: (port) => realConnect(port, "127.0.0.1"),
    onTraffic: () => {},
    name: (port, who) => void names.set(port, who),
    kill(process) {
      for (const server of [...servers.values()]) if (owners.get(server) === process) server.close();
      for (const connection of [...open]) {
        const { near, far } = connection;
        if (![near.owner, far.owner].includes(process)) continue;
        if (near.owner === process) die(near, far);
        if (far.owner === process) die(far, near);
        open.delete(connection);
      }
      // A dead process connects to nobody any more: else all that it was about to send would go out.
      for (const connection of [...begun]) {
        if (connection.near.owner !== process) continue;
        connection.near.dead = true;
        begun.delete(connection);
      }
    },
    part(one, other) {
      parted.push({ between: [one, other], waiting: [] });
    },
    join() {
      const waiting = parted.flatMap((line) => line.waiting);
      parted = [];
      for (const event of waiting) event();
    },
    loseAnswers(of) {
      for (const connection of [...open]) {
        const { near, far } = connection;
        if (far.owner !== of) continue;
        far.lose();
        open.delete(connection);
        cut(near);
        cut(far);
      }
    },
    cutOne() {
      const all = [...open];
      const chosen = all[all.length > 1 ? schedule.draws.faults.between(0, all.length - 1) : 0];
      if (!chosen) return;
      open.delete(chosen);
      cut(chosen.near);
      cut(chosen.far);
    },
    end() {
      for (const end of [...ends]) end.destroy();
      // A server looks after its connections by a timer of the machine's own: without an end it would keep all of its world.
      for (const server of [...servers.values()]) server.close();
    },
    begin() {
      servers.clear();
      names.clear();
      open.clear();
      begun.clear();
      parted = [];
      connections = 0;
      network.onTraffic = () => {};
      outsidePort = 40_000;
      network.delays = [0];
    },
  };
  return network;
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

/** A request's or an answer's first line where it has one, and its size. */
function labelOf(bytes: Buffer): string {
  const head = bytes.toString("latin1", 0, 90);
  const line = /^(?:[A-Z]+ \S+|HTTP\/1\.1 \d+)/.exec(head)?.[0];
  return line ? `${line} (${bytes.length})` : `${bytes.length} bytes`;
}
