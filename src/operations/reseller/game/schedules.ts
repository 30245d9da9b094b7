import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
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
import { plainly } from "../../../process/plain-text.ts";
import { code } from "../../../views/text.ts";
import { bodyField, idField, mergeQuery, parseBody, queryField } from "./game.ts";
import { gameRead, gameWrite, moduleList } from "./table.ts";

const schedules = moduleList("schedule", listSchedules);

const list = schedules.operation({
  summary: "List the schedules of a resold game server",
  example: "/reseller game schedules arena-1",
  next: { Calendar: "calendar", "New…": "schedule create", "Delete one…": "schedule delete" },
  press: ["Run now", "schedule run"],
});

const calendar = gameRead("calendar", {
  summary: "Show when the schedules of a resold game server are due",
  example: "/reseller game calendar arena-1",
  act: readCalendar,
  input: z.object({ query: queryField }),
  query: ({ query }) => mergeQuery(query),
  headline: (server) => `Calendar of ${server}`,
  next: { Schedules: "schedules" },
});

const create = gameWrite("schedule create", {
  ...schedules.addition,
  summary: "Create a schedule on a resold game server",
  example: `/reseller game schedule create arena-1 body='{"name":"nightly","cron":"0 5 * * *","action":"restart"}'`,
  act: createSchedule,
  verb: "Make schedule on",
  input: z.object({ body: bodyField }),
  send: (client, id, { body }) => createSchedule(client, id, parseBody(body)),
  done: (server) => `${server} has a new schedule.`,
  next: { Schedules: "schedules" },
});

const change = gameWrite("schedule change", {
  ...schedules.chosen,
  summary: "Change a schedule of a resold game server",
  example: '/reseller game schedule change arena-1 schedule="Nightly restart" body="name=nightly"',
  act: changeSchedule,
  writes: [changeScheduleAt],
  risk: "change",
  verb: "Change schedule of",
  input: z.object({
    body: bodyField,
    schedule: idField("Schedule").optional().meta({
      title: "Schedule",
      description: "If empty, the change goes to the list of schedules, and the body names the schedule",
    }),
  }),
  send: (client, id, { body, schedule }) =>
    schedule === undefined
      ? changeSchedule(client, id, parseBody(body))
      : changeScheduleAt(client, id, schedule, parseBody(body)),
  done: (server) => `A schedule of ${server} was changed.`,
  next: { Schedules: "schedules" },
  reconcile: unsure("`/reseller game schedules` shows the schedules."),
});

const run = gameWrite("schedule run", {
  ...schedules.chosen,
  summary: "Run a schedule of a game server now, outside its set times",
  example: '/reseller game schedule run arena-1 schedule="Nightly restart"',
  act: runSchedule,
  risk: "change",
  verb: "Run schedule of",
  input: z.object({ schedule: idField("Schedule") }),
  interrupts: "The schedule runs at once. If it restarts the server, your customer's players are disconnected.",
  send: (client, id, { schedule }) => runSchedule(client, id, schedule),
  done: (server) => `A schedule of ${server} runs now.`,
  next: { Show: "show" },
  reconcile: unsure("If the game module names the last run, `/reseller game schedules` shows it."),
});

const remove = gameWrite("schedule delete", {
  ...schedules.removal((name, server) => ({
    consequence: `This will delete the schedule ${code(name)} of ${server}. Its actions will not run again.`,
    press: plainly`Delete ${name}`,
    back: "Keep it",
  })),
  summary: "Delete a schedule of a resold game server",
  example: '/reseller game schedule delete arena-1 schedule="Nightly restart"',
  act: deleteSchedule,
  writes: [deleteScheduleAt],
  verb: "Delete schedule of",
  input: z.object({
    schedule: idField("Schedule"),
    place: z
      .enum(["path", "body"])
      .default("path")
      .meta({ title: "Id sent in", description: "In the path, or in the body as id and scheduleId" }),
  }),
  send: (client, id, { schedule, place }) =>
    place === "path"
      ? deleteScheduleAt(client, id, schedule)
      : deleteSchedule(client, id, { id: schedule, scheduleId: schedule }),
  done: (server) => `A schedule of ${server} is deleted.`,
  next: { Schedules: "schedules" },
});

export const scheduleOperations = [list, calendar, create, change, run, remove];
