import { Writable } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { createPlatform } from "../../src/platform/platform.ts";
import { createLog } from "../../src/process/log.ts";
import { connect } from "./reseller/selling.ts";
import { rest } from "./rest.ts";
import { goAhead, holdsAll, type Message, type Story, type StoryOptions, said, startStory } from "./story.ts";

const minute = 60_000;
type Api = "customer" | "reseller";

/** A story in which #ops gets an alert for every event, and polling has read every resource once. */
export async function read(options: StoryOptions & { apis?: Api[]; withEvents?: boolean } = {}): Promise<Story> {
  const { apis = ["customer"], withEvents = false, ...others } = options;
  const story = await startStory({ linked: ["ana"], ...others });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts add #ops", "Saved");
  if (withEvents) {
    await story.link(ana, platform.reseller.keys.ana.key);
    const connected = await connect(story, ana);
    const question = await story.pressing(
      ana,
      connected,
      "Set webhook address…",
      "The address before gets no more events",
    );
    await story.pressing(ana, question, goAhead, "Events now go to");
  }
  platform.clearCalls();
  const customer = { "Customer monitoring key": platform.keys.reader.key };
  const reseller = { "Reseller monitoring key": platform.reseller.keys.reader.key };
  const given = { ...(apis.includes("customer") ? customer : {}), ...(apis.includes("reseller") ? reseller : {}) };
  await connect(story, ana, given, "monitoring key is set");
  for (const api of apis) await untilRead(story, rounds[api].first);
  return story;
}

/** The calls of polling rounds: of the first one, of one after 16 minutes, and of one of frequent reads. */
const rounds: Record<Api, { first: ExpectedCall[]; round: ExpectedCall[]; urgent: ExpectedCall[] }> = {
  customer: {
    first: [{ path: "/custom-images" }, { path: "/orders" }, { path: "/services", status: undefined }],
    round: [{ path: "/custom-images" }, { path: "/orders" }, { path: "/vps" }],
    urgent: [{ path: "/services", status: "provisioning_failed" }, { path: "/vps" }],
  },
  reseller: {
    first: [
      { path: "/reseller/orders", status: "failed" },
      { path: "/reseller/orders", status: undefined },
    ],
    round: [
      { path: "/reseller/orders", status: "failed" },
      { path: "/reseller/orders", status: undefined },
    ],
    urgent: [{ path: "/reseller/services", status: "provisioning_failed" }],
  },
};

interface ExpectedCall {
  path: string;
  status?: string | undefined;
}

async function untilRead({ platform, clock }: Story, expected: ExpectedCall[]): Promise<void> {
  const isRead = () => {
    const calls = platform.calls().filter(({ status }) => status === 200);
    return expected.every(({ path, status }) =>
      calls.some((call) => call.path === path && call.query.status === status),
    );
  };
  const wait = { timeout: 2_500, interval: 20 };
  for (let tries = 0; tries < 3 && !isRead(); tries += 1) {
    const read = await vi.waitUntil(isRead, wait).catch(() => false);
    // A call that was on its way when time was skipped is given up, and made again 10 minutes later.
    if (!read) clock.skip(11 * minute);
  }
  await vi.waitUntil(isRead, { ...wait, timeout: 20_000 });
  // The events of the last answer are stored, and brought on.
  await rest(2_000);
}

/** Lets so many minutes pass for polling: 16 are a round of everything that is not looked at seldom. */
export async function passRound(story: Story, { minutes = 16, api = "customer" as Api } = {}): Promise<void> {
  story.platform.clearCalls();
  story.clock.skip(minutes * minute);
  await untilRead(story, minutes < 15 ? rounds[api].urgent : rounds[api].round);
}

/**
 * Lets time pass until a preview of the weekly report holds the text, and resolves with the preview. A round may end after `passRound`:
 * that waits for the first calls of a round alone, and a read that was on its way when time was skipped is made again minutes later.
 */
export async function untilReported(story: Story, text: string | RegExp): Promise<string> {
  return vi.waitFor(
    async () => {
      const preview = await story.ask(story.ana, "/rackbell report preview", "Weekly report:");
      if (holdsAll(preview, [text])) return said(preview);
      story.clock.skip(minute);
      throw new Error(`The report does not hold ${text}:\n${said(preview)}`);
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** The platform's APIs, for what is done elsewhere than in Rackbell. */
export function elsewhere({ platform, clock }: Story) {
  const outside = createPlatform({ url: platform.url, clock, log: createLog({ level: "silent", destination }) });
  onTestFinished(() => outside.close());
  const signingSecret = platform.reseller.signingSecret();
  return {
    customer: outside.customer({ key: platform.keys.ana.key }),
    reseller: outside.reseller({ key: platform.reseller.keys.ana.key, signingSecret }),
  };
}

const destination = new Writable({ write: (_chunk, _encoding, done) => done() });

/** The cards in a channel that hold the text. */
export function cards(story: Story, text = "", channel = "#ops"): Message[] {
  return story.ben
    .sees(channel)
    .filter((message) => /by webhook,|found by polling|done through Rackbell/.test(said(message)))
    .filter((message) => said(message).includes(text));
}

/** All replies in threads. */
export function replies({ slack }: Story): string[] {
  return Object.values(slack.state().channels)
    .flat()
    .filter(({ thread_ts }) => thread_ts)
    .map((message) => said(message));
}
