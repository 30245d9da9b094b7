import * as z from "zod";
import { errorText } from "../../access/errors/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type WorkspaceSecretName, workspaceSecretNames } from "../../identities/workspace.ts";
import type { Actor } from "../../operation/call-context.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { addressSteps, requireAdmin, titles, workspaceKeyWords } from "./connecting.ts";

export const check = defineAppOperation({
  command: "rackbell connect check",
  summary: "For admins: prove again that what is connected works",
  routes: ["POST /webhooks/test", "GET /"],
  verb: "Check now",
  input: z.object({}),
  async run({ context, actor, now }) {
    await requireAdmin(context, actor);
    const found: Found[] = [];
    for (const name of workspaceSecretNames) found.push(await look(context, actor, name, now));
    const isRotated = found.some(({ wrong }) => wrong);
    const lines = [...found.map(({ line }) => line), await eventsLine(context, isRotated)];
    const headline = "What is connected";
    return {
      text: `${headline}: ${lines.join(" ")}`,
      blocks: [section(`*${headline}*`), ...paragraphs(lines.map((line) => `• ${line}`))],
      next: [
        ...addressSteps(context),
        { label: "Connect or replace…", command: "rackbell connect" },
        { label: "Disconnect", command: "rackbell disconnect", style: "danger" },
      ],
    };
  },
});

interface Found {
  line: string;
  /** True if the platform no longer accepts calls signed with it. */
  wrong: boolean;
}

async function look(
  { connection, secretMonitor }: AppContext,
  actor: Actor,
  name: WorkspaceSecretName,
  now: number,
): Promise<Found> {
  const about = await connection.about(name);
  if (!about) return { line: `${titles[name]} is not set.`, wrong: false };
  const label = about.label ? ` ${code(about.label)}` : "";
  const title = `${titles[name]}${label}, set by <@${about.slackUser}> ${moment(about.at)},`;
  try {
    const found = await connection.check(name, actor.member);
    if (name === "signing-secret" && found === "works") await secretMonitor.signed();
    return { line: words[found](title), wrong: false };
  } catch (error) {
    await secretMonitor.signed(error);
    const line = `:warning: ${title} could not be proven. ${errorText(error, now, workspaceKeyWords).text}`;
    return { line, wrong: error instanceof PlatformRefused && error.auth === "signature wrong" };
  }
}

/** Only received events prove that the supplier reaches this app. */
async function eventsLine({ events, webhookUrl }: AppContext, isRotated: boolean): Promise<string> {
  const [last] = await events.newest({ source: "told", limit: 1 });
  const taken = last ? ` The last one that was taken (${code(last.event)}) came ${moment(last.at)}.` : "";
  if (isRotated)
    return `:warning: The supplier's events are refused here until the present secret is set: they are signed with it. They are sent again then.${taken}`;
  if (last) {
    const word = `The supplier's events arrive here, the last one (${code(last.event)}) ${moment(last.at)}.`;
    if (last.aside === null) return `:white_check_mark: ${word}`;
    return `:warning: ${word} Its own time was ${last.aside}, so that it rang nowhere: look at this machine's clock.`;
  }
  if (webhookUrl !== null)
    return "None of the supplier's events has arrived here yet. Have them sent here, and a test event; it comes within two minutes.";
  return "The supplier's events cannot arrive here: `PUBLIC_URL` is not set, which tells where this app is reached.";
}

const words: Record<"works" | "not readable" | "no key", (title: string) => string> = {
  works: (title) => `:white_check_mark: ${title} works.`,
  "not readable": (title) =>
    `:warning: ${title} was encrypted with a key that is gone, so that nobody can open it. Set it again.`,
  "no key": (title) => `:grey_question: ${title} can be proven with a reseller key alone, and you have none linked.`,
};
