import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Answered, type Order, WorldMessage, type WorldOptions } from "./orders.ts";

/** The practice platform and the sink for calls to Slack, in a process of their own. */
export interface World {
  platformUrl: string;
  slackApiUrl: string;
  /** The response URL for a command that is typed in `channel`. */
  answerUrl(channel: string): string;
  /** Makes a key of the practice team's owner. */
  key(): Promise<string>;
  /** The platform calls during `work`, as "GET /vps". */
  callsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** The platform calls since it began, or since the last `callsOf`. */
  calls(): Promise<string[]>;
  /** The text of the next answer in `channel`. */
  answerIn(channel: string): Promise<string>;
  /** The same with its buttons. */
  messageIn(channel: string): Promise<Answered>;
  /** The next view that is opened with `trigger`. */
  viewFor(trigger: string): Promise<unknown>;
  stop(): void;
}

type Reply = Extract<WorldMessage, { type: "reply" }>;

export async function openWorld(options: WorldOptions): Promise<World> {
  const file = fileURLToPath(new URL("./world.ts", import.meta.url));
  const child = fork(file, [JSON.stringify(options)], { env: {} });
  const replies = new Map<number, (reply: Reply) => void>();
  const answers = new Map<string, (answer: Answered) => void>();
  const views = new Map<string, (view: unknown) => void>();
  let orders = 0;

  const opened = await new Promise<Extract<WorldMessage, { type: "open" }>>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The practice world ended with ${code}`)));
    child.on("message", (received) => {
      const message = WorldMessage.parse(received);
      if (message.type === "open") resolve(message);
      if (message.type === "reply") handOver(replies, message.id, message);
      if (message.type === "answer") handOver(answers, message.channel, message);
      if (message.type === "view") handOver(views, message.trigger, message.view);
    });
  });

  function order(what: Omit<Order, "id">): Promise<Reply> {
    orders += 1;
    const id = orders;
    return new Promise((resolve) => {
      replies.set(id, resolve);
      send(child, { ...what, id });
    });
  }

  const messageIn = (channel: string): Promise<Answered> => new Promise((resolve) => answers.set(channel, resolve));

  return {
    platformUrl: opened.platformUrl,
    slackApiUrl: `${opened.slackUrl}/api/`,
    answerUrl: (channel) => `${opened.slackUrl}/answers/${channel}`,
    async key() {
      const { key } = await order({ order: "key" });
      return key ?? "";
    },
    async callsOf(work) {
      await order({ order: "clear" });
      await work();
      return (await order({ order: "calls" })).calls;
    },
    calls: async () => (await order({ order: "calls" })).calls,
    messageIn,
    answerIn: async (channel) => (await messageIn(channel)).text,
    viewFor: (trigger) => new Promise((resolve) => views.set(trigger, resolve)),
    stop: () => send(child, { order: "stop", id: 0 }),
  };
}

function send(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order);
}

function handOver<Key, Value>(waiting: Map<Key, (value: Value) => void>, key: Key, value: Value): void {
  const take = waiting.get(key);
  waiting.delete(key);
  take?.(value);
}
