import * as z from "#zod";
import type { DriftReport } from "../../alerts/polling/drift.ts";
import { lastPost } from "../../audit/posting.ts";
import { streamProblem } from "../../audit/stream.ts";
import { notLinkedWords } from "../../members/access/access.ts";
import { keyNames } from "../../members/identities/link.ts";
import { isAdmin } from "../../messages/admins.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import type { Actor } from "../../operation/call-context.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { readPolicy } from "../../policy/policy.ts";
import { rulesAsSeenBy } from "../../policy/ruled-projects.ts";
import { ruleWords } from "../../policy/words.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { code, count, listing, prose, sentence } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { readOnCallWords } from "./oncall-words.ts";
import { readRequestWords } from "./waiting-words.ts";

export const status = defineAppOperation({
  command: "rackbell status",
  verb: "Show the status",
  summary: "Show how Rackbell and the platform are: what the platform still offers, and your hourly calls",
  example: "/rackbell status",
  routes: ["GET /", "GET /openapi.json"],
  input: z.object({}),
  async run({ context, actor, now }) {
    const { approvals } = context;
    const budgets = [
      await readBudget(context, actor.member, "customer", now),
      await readBudget(context, actor.member, "reseller", now),
    ].filter((line) => line !== null);
    const lines = [
      await offered(context, now),
      ...context.clockProblems().map((problem) => `:warning: ${problem}`),
      ...(await recordLines(context)),
      ...(await ruleLines(context, actor)),
      ...(budgets.length > 0 ? budgets : [notLinkedWords(context)]),
      ...(await connectionLines(context, actor.member)),
      ...(await readOnCallWords(context, actor.slackUser, now)).lines,
      ...(await readRequestWords(context, actor)),
      approvals.mode === "self"
        ? `Destroying needs the requester's confirmation. A request expires after ${duration(approvals.ttl)}.`
        : `Destroying needs one approval. A request expires after ${duration(approvals.ttl)}.`,
    ];
    const headline = "Status";
    return {
      text: `${headline}: ${lines[0]}`,
      blocks: [section(`*${headline}*`), ...paragraphs(lines.map((line) => `• ${line}`))],
    };
  },
});

/** Problems of the audit log outside the store: an unsent stream or an unposted checkpoint. */
async function recordLines(context: AppContext): Promise<string[]> {
  const [unsent, post] = await Promise.all([streamProblem(context, "slack"), lastPost(context)]);
  const unposted = post?.problem
    ? `The newest checkpoint of the audit could not be posted in <#${post.channel}>: ${sentence(post.problem)}`
    : null;
  return [unsent, unposted].filter((line) => line !== null).map((line) => `:warning: ${line}`);
}

/** Rules whose project is gone. Shown to admins alone, because nobody else can remove them. */
async function ruleLines(context: AppContext, actor: Actor): Promise<string[]> {
  const { rules } = await readPolicy(context);
  if (!rules.some(({ when }) => when.project) || !(await isAdmin(context, actor.slackUser))) return [];
  const { gone } = await rulesAsSeenBy(context, actor.member, rules);
  return rules
    .filter(({ id }) => gone.has(id))
    .map(
      (rule) =>
        `:warning: The project of the rule ${code(rule.id)} is gone. ${ruleWords(rule)} \`/rackbell policy remove ${rule.id}\` removes it.`,
    );
}

/** Empty for a member without a reseller key. */
async function connectionLines({ connection, identities }: AppContext, member: string): Promise<string[]> {
  if (!(await identities.links(member)).reseller) return [];
  const about = await connection.about("signing-secret");
  return about
    ? [`The reseller account is connected: <@${about.slackUser}> set its signing secret ${moment(about.at)}.`]
    : [
        ":warning: The reseller account is not connected, so that nothing of it can be changed. An admin does that with `/rackbell connect`.",
      ];
}

async function offered(context: AppContext, now: number): Promise<string> {
  try {
    return driftWords(await context.drift.look(), context.registry.all.length);
  } catch (error) {
    return `:warning: The platform's list of what it offers could not be read. ${errorText(error, now).text}`;
  }
}

function driftWords({ missing, at }: DriftReport, all: number): string {
  if (missing.length === 0)
    return `:white_check_mark: The platform offers everything that the ${count(all, "command")} need (checked ${moment(at)}).`;
  const named = missing.map(
    ({ operation, routes }) => `${code(`/${operation.command}`)} (${routes.map((route) => code(route)).join(", ")})`,
  );
  return `:warning: The platform no longer offers what ${count(missing.length, "command")} need${missing.length === 1 ? "s" : ""}: ${listing(named)}. They may fail; the others are not concerned.`;
}

async function readBudget(context: AppContext, member: string, api: ApiName, now: number): Promise<string | null> {
  try {
    // This call brings the newest count of remaining calls.
    if (!(await context.identities.refresh(member, api))) return null;
    const session = await context.identities.session(member, api);
    const budget = session?.client.budget();
    const key = `Your ${keyNames[api]} ${code(session?.link.keyLabel ?? "")}`;
    if (!budget) return `${key} works; the platform does not say its hourly limit.`;
    const left = `${key} has ${budget.remaining.toLocaleString("en")} of ${budget.limit.toLocaleString("en")} calls left`;
    // The reseller's hour is a sliding window, so its end is always an hour ahead.
    return api === "reseller"
      ? `${left}; each comes back an hour after it was used.`
      : `${left} until ${moment(budget.resetAt)}.`;
  } catch (error) {
    return `:warning: ${prose(errorText(error, now).text)}`;
  }
}
