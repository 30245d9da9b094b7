import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Running, startApp } from "../app/app.ts";
import { readConfig } from "../app/config.ts";
import { guideLinked, guidePages } from "../guide/guide.ts";
import { registry } from "../operations/index.ts";
import { createLog, logUnhandled } from "../process/log.ts";
import { manifestOf } from "../slack/manifest.ts";
import { practiceAgent } from "./agent.ts";
import { freePort } from "./bench/ports.ts";
import { createSandboxClock } from "./clock.ts";
import { connection } from "./connection.ts";
import { happenings } from "./happenings.ts";
import { otherTool } from "./other-tool.ts";
import { type Practice, startPractice } from "./practice.ts";
import { tampering } from "./tampering.ts";

/** The address stays the same from run to run where it is free, so that a bookmark works. */
const usualPort = 4180;
const day = 24 * 60 * 60_000;
/** It runs as the machine's own does, and a visitor can let a day pass: a key must be a day old to prove a passkey. */
const clock = createSandboxClock();

/** Opens the practice workspace between a practice platform and the real app, on loopback, until Ctrl-C. */
async function demo(): Promise<void> {
  const log = createLog({ level: "warn", destination: process.stderr });
  logUnhandled(process, log);
  const practice = await open(usualPort).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    return open(0);
  });
  // A browser makes passkeys for localhost alone, where there is no https. The platform posts its events to the same address.
  const port = String(await freePort());
  const own = { PORT: port, PUBLIC_URL: `http://localhost:${port}`, PASSKEYS: "on", AGENTS: "on" };
  practice.platform.reseller.settings.localhost = true;
  practice.slack.addUsergroup("ops-leads", ["ana", "caro"]);
  practice.slack.addUsergroup("night-shift", ["ben", "caro"]);
  giveHints(practice);
  practice.slack.showGuide(
    guidePages.map((page) => ({
      name: page.name,
      title: page.title,
      text: guideLinked(page, (shown, name) => `[${shown}](${practice.slack.url}/#c=guide&page=${name})`),
    })),
  );
  const folder = mkdtempSync(join(tmpdir(), "rackbell-demo-"));
  const store = join(folder, "rackbell.db");
  let app = await start();
  practice.slack.runAgent(practiceAgent(practice.slack, () => app.url));

  async function start(): Promise<Running> {
    const started = await startApp({
      config: readConfig({ ...practice.environment, STORE_URL: `sqlite:${store}`, ...own }),
      log,
      clock,
    });
    practice.platform.reseller.webhooks.resolve("localhost", started.url);
    return started;
  }

  const restarting = {
    stop: () => app.stop(),
    async start() {
      app = await start();
    },
  };
  practice.slack.offer([
    ...happenings(practice.platform),
    ...otherTool(practice.slack),
    ...connection(practice.slack),
    ...tampering(store, restarting),
    {
      id: "day",
      group: "Time",
      label: "A day passes",
      press() {
        clock.skip(day);
        return "It is tomorrow, and all that was due by then is done.";
      },
    },
  ]);
  process.stdout.write(
    `\n  Rackbell's practice workspace is open at  ${practice.slack.url}\n\n  Ctrl-C ends it; nothing is kept.\n\n`,
  );
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(
      signal,
      () =>
        void app
          .stop()
          .then(practice.close)
          .then(() => rmSync(folder, { recursive: true }))
          .then(() => process.exit(0)),
    );
  }
}

function open(port: number): Promise<Practice> {
  return startPractice({
    clock,
    manifest: manifestOf(registry),
    port,
    // A reinstall takes seconds, not minutes; what may be done only so often may be done again soon.
    pace: 12,
    cooldownPace: 12,
    latencyMs: 80,
    environment: { APPROVALS: "peer", SOCKET_CHECK: "on" },
  });
}

function giveHints({ slack, platform: { keys, reseller } }: Practice): void {
  const sell = (key: string) =>
    `Resell services to customers: type \`/rackbell link\` again and paste the reseller key \`${key}\`, then \`/reseller service list\``;
  const link = (key: string) => `Link your own key: type \`/rackbell link\` and paste the practice key \`${key}\``;
  slack.hint("ana", [
    link(keys.ana.key),
    "See the machines: `/vps list`, then open one, or `/vps show web-1`. Reboot it and watch it come back",
    "Reinstall one: `/vps reinstall web-2`. Or go back to a snapshot: `/vps revert web-1`. The request names the data that will be lost",
    `Destroying needs a second person here: choose Caro above (“Act as”), link her key \`${keys.caro.key}\`, and approve what Ana asked for`,
    "Approve with a passkey: choose “A day passes” under “Make things happen”, and type `/rackbell passkeys make` as Caro. Add the rule as Ana: `/rackbell policy set demand=one-approval risk=destroy passkey=yes`",
    "Buy a server: `/order new`, pay its document with the button, and watch it arrive. Then `/service upgrades`, `/vps snapshot`, `/vps cancel`",
    `Act as Dave, whose key \`${keys.dave.key}\` can only read, and try the same. \`/rackbell help\` shows what each key can do`,
    sell(reseller.keys.ana.key),
    `Set Rackbell up as its admin: \`/rackbell setup\`. It takes the customer monitoring key \`${keys.reader.key}\`, the signing secret \`${reseller.signingSecret()}\` and the reseller monitoring key \`${reseller.keys.reader.key}\``,
    "Get alerts, after that: choose something under “Make things happen”, and type `/rackbell alerts look`",
    "See the week in one message, too: `/rackbell report #general monday 09:00`, then *Post it now*",
    "Verify the audit log: change something, then type `/rackbell audit verify`. Choose “Somebody rewrites an entry of the audit log” under “Make things happen”, and ask again",
    "Work in the thread of an incident: reply to a message in its thread and type `@Rackbell reboot web-1 web-2 db-1`. Choose “The next reboot is refused” under “Make things happen” first, and try that one again",
    "Let another tool raise an alert (“Make things happen”), and choose “Act on this” in its menu",
    "Be on call in turns: `/rackbell oncall night people=@night-shift`. *User groups*, below the channels, changes who is in `@night-shift`",
    "Schedule a change, and decide it now: `/vps reinstall web-2 in=3m`, which Caro approves before that. Rackbell's Home shows it, and so does `/rackbell scheduled`",
    "Work in private: choose Rackbell under Apps, then Messages, and type a command there, such as `vps list`",
  ]);
  slack.hint("ben", [link(keys.ben.key), "`/vps list`", sell(reseller.keys.ben.key)]);
  slack.hint("caro", [
    link(keys.caro.key),
    sell(reseller.keys.caro.key),
    "Approve what Ana asked for: press its red button in #ops, or type `/rackbell approvals`",
  ]);
  slack.hint("dave", [
    link(keys.dave.key),
    "Your key can only read: try `/vps reboot web-1`",
    `${sell(reseller.keys.dave.key)}; it can only read, too`,
    `A key that is bound to one customer, to see what that one sees: \`${reseller.keys.bound.key}\``,
  ]);
  slack.hint("gus", ["You are a guest: `/rackbell link` says what guests may do"]);
}

await demo();
