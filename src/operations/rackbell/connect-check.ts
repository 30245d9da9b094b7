import * as z from "zod";
import { errorText } from "../../engine/answers/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type WorkspaceSecretName, workspaceSecretNames } from "../../identities/workspace.ts";
import type { Actor } from "../../operation/asking.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { nobodys, requireAdmin, titles } from "./connecting.ts";

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
    const headline = "What is connected";
    return {
      text: `${headline}: ${lines.join(" ")}`,
      blocks: [section(`*${headline}*`), ...paragraphs(lines.map((line) => `• ${line}`))],
      next: [
        { label: "Connect or replace…", command: "rackbell connect" },
        { label: "Disconnect", command: "rackbell disconnect", style: "danger" },
      ],
    };
  },
});

async function lineOf(
  { connection }: AppContext,
  actor: Actor,
  name: WorkspaceSecretName,
  now: number,
): Promise<string> {
  const about = await connection.about(name);
  if (!about) return `${titles[name]} is not set.`;
  const label = about.label ? ` ${code(about.label)}` : "";
  const title = `${titles[name]}${label}, set by <@${about.slackUser}> ${moment(about.at)},`;
  try {
    return words[await connection.check(name, actor.member)](title);
  } catch (error) {
    return `:warning: ${title} could not be proven. ${errorText(error, now, nobodys).text}`;
  }
}

const words: Record<"works" | "not readable" | "no key", (title: string) => string> = {
  works: (title) => `:white_check_mark: ${title} works.`,
  "not readable": (title) =>
    `:warning: ${title} was encrypted with a key that is gone, so that nobody can open it. Set it again.`,
  "no key": (title) => `:grey_question: ${title} can be proven with a reseller key alone, and you have none linked.`,
};
