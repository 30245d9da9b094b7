import * as z from "zod";
import { errorText } from "../../engine/answers/error-text.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { DriftReport } from "../../engine/drift.ts";
import { defineAppOperation } from "../../operation/define-app.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { code, count, listing, prose } from "../../views/text.ts";

export const status = defineAppOperation({
  command: "rackbell status",
  summary: "Show how Rackbell and the platform are: what the platform still offers, and your hourly calls",
  routes: ["GET /", "GET /openapi.json"],
  input: z.object({}),
  async run({ services, actor, now }) {
    const { approvals } = services;
    const lines = [
      await offered(services, now),
      await budgetOf(services, actor.member, now),
      approvals.mode === "self"
        ? `Who asks for something destructive confirms it too. A request expires after ${duration(approvals.ttl)}.`
        : `Something destructive needs another member's approval. A request expires after ${duration(approvals.ttl)}.`,
    ];
    const headline = "How things are";
    return {
      text: `${headline}: ${lines[0]}`,
      blocks: [section(`*${headline}*`), ...paragraphs(lines.map((line) => `• ${line}`))],
    };
  },
});

async function offered(services: AppContext, now: number): Promise<string> {
  try {
    return driftWords(await services.drift.look(), services.registry.all.length);
  } catch (error) {
    return `:warning: The platform's list of what it offers could not be read. ${errorText(error, now).text}`;
  }
}

function driftWords({ missing, at }: DriftReport, all: number): string {
  if (missing.length === 0)
    return `:white_check_mark: The platform offers everything that the ${count(all, "command")} need (looked ${moment(at)}).`;
  const named = missing.map(
    ({ operation, routes }) => `${code(`/${operation.command}`)} (${routes.map((route) => code(route)).join(", ")})`,
  );
  return `:warning: The platform no longer offers what ${count(missing.length, "command")} need${missing.length === 1 ? "s" : ""}: ${listing(named)}. They may fail; the others are not concerned.`;
}

async function budgetOf(services: AppContext, member: string, now: number): Promise<string> {
  try {
    const refreshed = await services.identities.refresh(member);
    if (!refreshed) return "You have no linked key.";
    const budget = (await services.identities.client(member))?.budget();
    if (!budget)
      return `Your key ${code(refreshed.linked.keyLabel)} works; the platform does not tell its hourly budget.`;
    return `Your key ${code(refreshed.linked.keyLabel)} has ${budget.remaining.toLocaleString("en")} of ${budget.limit.toLocaleString("en")} calls left until ${moment(budget.resetAt)}.`;
  } catch (error) {
    return `:warning: ${prose(errorText(error, now).text)}`;
  }
}
