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
import { code, oneLine } from "../../../views/text.ts";
import { bodyField, idField, mergeQuery, parseBody, queryField, quotedName } from "./game.ts";
import { addsTo, chosenFrom, gameList, reconcileGone, rowReview } from "./rows.ts";
import { gameRead, gameWrite } from "./table.ts";

const list = gameList("schedule", {
  summary: "List what a resold game server does by itself",
  list: listSchedules,
  next: { Calendar: "calendar", "New…": "schedule create", "Delete one…": "schedule delete" },
  press: ["Run now", "schedule run"],
});

const calendar = gameRead("calendar", {
  summary: "Show when the schedules of a resold game server are due",
  act: readCalendar,
  input: z.object({ query: queryField }),
  query: ({ query }) => mergeQuery(query),
  headline: (server) => `What is due on ${server}`,
  next: { Schedules: "schedules" },
});

const create = gameWrite("schedule create", {
  ...addsTo(listSchedules),
  summary: "Have a resold game server do something by itself",
  act: createSchedule,
  risk: "change",
  verb: "New schedule",
  input: z.object({ body: bodyField }),
  send: (client, id, { body }) => createSchedule(client, id, parseBody(body)),
  done: (server) => `${server} has a new schedule.`,
  next: { Schedules: "schedules" },
});

const change = gameWrite("schedule change", {
  ...chosenFrom("schedule", listSchedules),
  summary: "Change a schedule of a resold game server",
  act: changeSchedule,
  risk: "change",
  verb: "Change schedule",
  input: z.object({
    body: bodyField,
    schedule: idField("Schedule").optional().meta({
      title: "Schedule",
      description: "Left empty, it is sent to the list of them, and the body says which is meant",
    }),
  }),
  send: (client, id, { body, schedule }) =>
    schedule === undefined
      ? changeSchedule(client, id, parseBody(body))
      : changeScheduleAt(client, id, schedule, parseBody(body)),
  done: (server) => `A schedule of ${server} was changed.`,
  next: { Schedules: "schedules" },
  reconcile: unsure("`/reseller game schedules` tells how they are."),
});

const run = gameWrite("schedule run", {
  ...chosenFrom("schedule", listSchedules),
  summary: "Run a schedule of a game server now, whatever its time",
  act: runSchedule,
  risk: "change",
  verb: "Run schedule",
  input: z.object({ schedule: idField("Schedule") }),
  interrupts: "It does at once what it is set to do: a restart among it throws your customer's players out.",
  send: (client, id, { schedule }) => runSchedule(client, id, schedule),
  done: (server) => `A schedule of ${server} runs now.`,
  next: { Show: "show" },
  reconcile: unsure("Where the game module tells when a schedule last ran, `/reseller game schedules` shows it."),
});

const remove = gameWrite("schedule delete", {
  ...chosenFrom("schedule", listSchedules),
  summary: "Delete a schedule of a resold game server",
  act: deleteSchedule,
  risk: "destroy",
  verb: "Delete schedule",
  input: z.object({
    schedule: idField("Schedule"),
    place: z
      .enum(["path", "body"])
      .default("path")
      .meta({ title: "Where it is named", description: "In the address, or in what is sent as id and scheduleId" }),
  }),
  review: rowReview("schedule", "Schedule", listSchedules, (name, server) => ({
    consequence: `The schedule ${code(name)} of ${quotedName(server)} is deleted: what it did by itself is done no more.`,
    press: `Delete ${oneLine(name)}`,
    back: "Keep it",
  })),
  send: (client, id, { schedule, place }) =>
    place === "path"
      ? deleteScheduleAt(client, id, schedule)
      : deleteSchedule(client, id, { id: schedule, scheduleId: schedule }),
  done: (server) => `A schedule of ${server} is deleted.`,
  next: { Schedules: "schedules" },
  reconcile: reconcileGone("schedule", listSchedules),
});

export const scheduleOperations = [list, calendar, create, change, run, remove];
