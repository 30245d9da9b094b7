import * as z from "zod";
import type { AuditEntry } from "../../audit/entry.ts";
import { ocsfOf } from "../../audit/ocsf.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { Json } from "../../operation/answer.ts";
import { type Block, section } from "../../views/blocks.ts";
import { csvOf } from "../../views/csv.ts";
import { moment } from "../../views/format.ts";
import { clipMarkup, code, count, oneLine, prose, unmarked } from "../../views/text.ts";

const perPage = 10;
const mostExported = 10_000;

export const audit = defineAppOperation({
  command: "rackbell audit",
  summary: "Show what was asked, approved and done: your own, or everybody's for admins",
  input: z.object({
    about: z
      .string()
      .optional()
      .meta({ title: "About", description: "A name or id, or a command such as vps reinstall" }),
    everyone: z.boolean().default(false).meta({ title: "Everybody's", description: "For admins" }),
    export: z.boolean().default(false).meta({ title: "As a file" }),
    format: z
      .enum(["csv", "ocsf"])
      .default("csv")
      .meta({ title: "File format", description: "csv: a spreadsheet; ocsf: JSON lines in OCSF, class API Activity" }),
    before: z.string().optional().meta({ title: "Older than" }),
  }),
  positional: "about",
  async run({ context, actor, input }) {
    const admin = await context.access.isAdmin(actor.slackUser);
    const all = input.everyone && admin;
    const query = {
      ...(all ? {} : { member: actor.member }),
      ...(input.about ? { about: input.about } : {}),
      ...(input.before ? { before: input.before } : {}),
    };
    if (input.export) {
      const entries = await context.audit.newest({ ...query, limit: mostExported, begun: true });
      return {
        text: `${count(entries.length, "audit entry", "audit entries")}${entries.length === mostExported ? " (the newest; ask for older ones with about=)" : ""}`,
        file: files[input.format](entries),
      };
    }
    const entries = await context.audit.newest({ ...query, limit: perPage + 1 });
    const shown = entries.slice(0, perPage);
    const whose = all ? "everybody" : "you";
    const refused = input.everyone && !admin ? " Only admins see everybody's; these are yours." : "";
    if (shown.length === 0)
      return { text: `Nothing is recorded of ${whose}${input.about ? ` about ${code(input.about)}` : ""}.${refused}` };
    const kept: Record<string, Json> = { everyone: input.everyone, ...(input.about ? { about: input.about } : {}) };
    const last = shown.at(-1);
    return {
      text: `Audit entries of ${whose}, newest first.${refused}`,
      blocks: [section(`*Audit entries of ${whose}, newest first*${refused}`), ...shown.map(row)],
      next: [
        ...(entries.length > perPage && last
          ? [{ label: "Older ▶", command: "rackbell audit", input: { ...kept, before: last.id }, replace: true }]
          : []),
        { label: "As a file", command: "rackbell audit", input: { ...kept, export: true } },
        { label: "As OCSF", command: "rackbell audit", input: { ...kept, export: true, format: "ocsf" } },
      ],
    };
  },
});

function row({ at, entry }: { at: number; entry: AuditEntry }): Block {
  const approved = entry.approver
    ? `, ${entry.what === "withdrawn" || entry.what === "denied" ? entry.what : "approved"} by <@${entry.approver.split(":")[1] ?? ""}>`
    : "";
  const target = entry.target ? ` ${code(entry.target.name, 60)}` : "";
  const why = entry.reason ? `\nWhy: ${prose(entry.reason, 300)}` : "";
  return section(
    `${moment(at)} · *${entry.what}* · ${code(entry.command)}${target}\n<@${entry.slackUser}>${approved} · key ${code(entry.keyLabel, 40)}\n${clipMarkup(entry.outcome, 300)}${why}`,
  );
}

type Found = { id: string; at: number; entry: AuditEntry };

const files: Record<"csv" | "ocsf", (entries: Found[]) => { name: string; content: string }> = {
  csv: (entries) => ({ name: "rackbell-audit.csv", content: csvOf({ columns, rows: entries.map(cells) }) }),
  ocsf: (entries) => ({
    name: "rackbell-audit.jsonl",
    content: entries.map((found) => `${JSON.stringify(ocsfOf(found))}\n`).join(""),
  }),
};

const columns = [
  ...["time", "what", "command", "target", "target id"],
  ...["asked by", "decided by", "key", "request", "outcome", "reason"],
];

function cells({ at, entry }: Found): string[] {
  const { what, command, target, slackUser, approver, keyLabel, request, outcome, reason } = entry;
  return [
    ...[new Date(at).toISOString(), what, command, target?.name ?? "", target?.id ?? ""],
    ...[
      slackUser,
      approver?.split(":")[1] ?? "",
      keyLabel,
      request ?? "",
      oneLine(unmarked(outcome)),
      oneLine(reason ?? ""),
    ],
  ];
}
