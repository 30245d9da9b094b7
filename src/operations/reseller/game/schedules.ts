import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import {
  changeSchedule,
  changeScheduleAt,
  createSchedule,
  deleteSchedule,
  deleteScheduleAt,
  listSchedules,
  readCalendar,
  runSchedule,
} from "../../../platform/reseller/game/schedules.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, idField, mergeQuery, parseBody, queryField } from "./fields.ts";
import { game, quotedName, readAnswer, stepOf, writtenAnswer } from "./game.ts";
import { goneFrom, idsIn, newIn, reviewedRow, rowChoices, rowsAnswer } from "./rows.ts";

const scheduleChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  rowChoices(await listSchedules(client, target.serviceId));

export const list = defineOperation({
  command: "reseller game schedules",
  summary: "List what a game server that you sell on does by itself",
  act: listSchedules,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target, may }) {
    const command = "reseller game schedule run";
    return rowsAnswer(target, await listSchedules(client, target.serviceId), {
      one: "schedule",
      next: [
        stepOf(target, "Calendar", "calendar"),
        stepOf(target, "New…", "schedule create"),
        stepOf(target, "Delete one…", "schedule delete"),
      ],
      press: may(command) ? { label: "Run now", command, field: "schedule" } : null,
    });
  },
});

export const calendar = defineOperation({
  command: "reseller game calendar",
  summary: "Show when the schedules of a game server that you sell on are due",
  act: readCalendar,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({ query: queryField }),
  run: async ({ client, target, input }) =>
    readAnswer(
      `What is due on ${quotedName(target)}`,
      await readCalendar(client, target.serviceId, mergeQuery(input.query)),
      [stepOf(target, "Schedules", "schedules")],
    ),
});

export const create = defineOperation({
  command: "reseller game schedule create",
  summary: "Have a game server that you sell on do something by itself",
  act: createSchedule,
  reads: [listSchedules, readService],
  risk: "change",
  verb: "New schedule",
  target: game,
  input: z.object({ body: bodyField }),
  before: async ({ client, target }) => idsIn(await listSchedules(client, target.serviceId)),
  async run({ client, target, input }) {
    const answered = await createSchedule(client, target.serviceId, parseBody(input.body));
    return writtenAnswer(`${quotedName(target)} has a new schedule.`, answered, [
      stepOf(target, "Schedules", "schedules"),
    ]);
  },
  reconcile: async ({ client, target }, { before }) => newIn(await listSchedules(client, target.serviceId), before),
});

export const change = defineOperation({
  command: "reseller game schedule change",
  summary: "Change a schedule of a game server that you sell on",
  act: changeSchedule,
  reads: [listSchedules, readService],
  risk: "change",
  verb: "Change schedule",
  target: game,
  input: z.object({
    body: bodyField,
    schedule: idField("Schedule").optional().meta({
      title: "Schedule",
      description: "Left empty, it is sent to the list of them, and the body says which is meant",
    }),
  }),
  choices: { schedule: scheduleChoices },
  typed: ["schedule"],
  async run({ client, target, input: { body, schedule } }) {
    const answered =
      schedule === undefined
        ? await changeSchedule(client, target.serviceId, parseBody(body))
        : await changeScheduleAt(client, target.serviceId, schedule, parseBody(body));
    return writtenAnswer(`A schedule of ${quotedName(target)} was changed.`, answered, [
      stepOf(target, "Schedules", "schedules"),
    ]);
  },
  reconcile: async () => ({ is: "unsure", text: "`/reseller game schedules` tells how they are." }),
});

export const run = defineOperation({
  command: "reseller game schedule run",
  summary: "Run a schedule of a game server now, whatever its time",
  act: runSchedule,
  reads: [listSchedules, readService],
  risk: "change",
  verb: "Run schedule",
  target: game,
  input: z.object({ schedule: idField("Schedule") }),
  choices: { schedule: scheduleChoices },
  typed: ["schedule"],
  interrupts: "It does at once what it is set to do: a restart among it throws your customer's players out.",
  async run({ client, target, input }) {
    const answered = await runSchedule(client, target.serviceId, input.schedule);
    return writtenAnswer(`A schedule of ${quotedName(target)} runs now.`, answered, [stepOf(target, "Show", "show")]);
  },
  reconcile: async () => ({
    is: "unsure",
    text: "Where the game module tells when a schedule last ran, `/reseller game schedules` shows it.",
  }),
});

export const remove = defineOperation({
  command: "reseller game schedule delete",
  summary: "Delete a schedule of a game server that you sell on",
  act: deleteSchedule,
  reads: [listSchedules, readService],
  risk: "destroy",
  verb: "Delete schedule",
  target: game,
  input: z.object({
    schedule: idField("Schedule"),
    place: z
      .enum(["path", "body"])
      .default("path")
      .meta({ title: "Where it is named", description: "In the address, or in what is sent as id and scheduleId" }),
  }),
  choices: { schedule: scheduleChoices },
  typed: ["schedule"],
  async review({ client, target, input }) {
    const listed = await listSchedules(client, target.serviceId);
    const { name, shown, before } = reviewedRow(listed, input.schedule, "schedule");
    return {
      consequence: `The schedule ${code(name)} of ${quotedName(target)} is deleted: what it did by itself is done no more.`,
      press: `Delete ${oneLine(name)}`,
      back: "Keep it",
      material: [{ label: "Schedule", value: code(name) }],
      shown,
      before,
    };
  },
  async run({ client, target, input: { schedule, place } }) {
    const answered =
      place === "path"
        ? await deleteScheduleAt(client, target.serviceId, schedule)
        : await deleteSchedule(client, target.serviceId, { id: schedule, scheduleId: schedule });
    return writtenAnswer(`A schedule of ${quotedName(target)} is deleted.`, answered, [
      stepOf(target, "Schedules", "schedules"),
    ]);
  },
  reconcile: async ({ client, target, input }, { before }) =>
    goneFrom(await listSchedules(client, target.serviceId), input.schedule, before),
});
