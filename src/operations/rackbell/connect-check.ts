import * as z from "zod";
import { errorText } from "../../engine/answers/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type WorkspaceSecretName, workspaceSecretNames } from "../../identities/workspace.ts";
import type { Actor } from "../../operation/asking.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { addressSteps, nobodys, requireAdmin, titles } from "./connecting.ts";

export const check = defineAppOperation({
  command: "rackbell connect check",
  summary: "For admins: prove again that what is connected works",
  routes: ["POST /webhooks/test", "GET /"],
  verb: "Check now",
  input: z.object({}),
  async run({ context, actor, now }) {
    await requireAdmin(context, actor);
    const lines: string[] = [];
    for (const name of workspaceSecretNames) lines.push(await lineOf(context, actor, name, now));
    lines.push(await eventsLine(context));
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

async function lineOf(
  { connection, secretWatch }: AppContext,
  actor: Actor,
  name: WorkspaceSecretName,
  now: number,
): Promise<string> {
  const about = await connection.about(name);
  if (!about) return `${titles[name]} is not set.`;
  const label = about.label ? ` ${code(about.label)}` : "";
  const title = `${titles[name]}${label}, set by <@${about.slackUser}> ${moment(about.at)},`;
  try {
    const found = await connection.check(name, actor.member);
    if (name === "signing-secret" && found === "works") await secretWatch.signed();
    return words[found](title);
  } catch (error) {
    await secretWatch.signed(error);
    return `:warning: ${title} could not be proven. ${errorText(error, now, nobodys).text}`;
  }
}

/** That the supplier reaches this app is proven by what arrived, and by nothing else. */
async function eventsLine({ events, webhookUrl }: AppContext): Promise<string> {
  const [last] = await events.newest({ source: "told", limit: 1 });
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
