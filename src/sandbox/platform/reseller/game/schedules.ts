import { z } from "zod";
import { badField, conflict, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { mostSchedules, type Schedule } from "../../programme/game.ts";
import { shapeOf } from "../../world/shapes.ts";
import { isoNow } from "../../world/world.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { acted, gameOf, path, refuseWithoutRuntime, stateOf } from "./server.ts";

const all = `${path}/schedules`;
const one = `${all}/{scheduleId}`;

// The spec does not show if a change names its schedule in the path or in its body: both are served.
export const scheduleRoutes: Route[] = [
  { method: "GET", path: all, scope: "read", handle: list },
  { method: "POST", path: all, scope: "services", handle: create },
  { method: "PATCH", path: all, scope: "services", handle: change },
  { method: "PATCH", path: one, scope: "services", handle: change },
  { method: "DELETE", path: all, scope: "services", handle: remove },
  { method: "DELETE", path: one, scope: "services", handle: remove },
  { method: "POST", path: `${one}/run`, scope: "services", handle: run },
  { method: "GET", path: `${path}/calendar`, scope: "read", handle: calendar },
];

function list(call: Call) {
  const service = gameOf(call);
  const { schedules } = stateOf(call, service);
  return ok(shapeOf(call, service.id, 2) === 0 ? { schedules, limit: mostSchedules } : schedules);
}

const fields = {
  name: z.string("name is required").min(1, "name is required").max(120),
  cron: z.string("cron is required").regex(/^(\S+ ){4}\S+$/, "cron has five fields"),
  action: z.enum(["start", "stop", "restart", "backup", "command"], "action is not known"),
  enabled: z.boolean(),
};
const createBody = z.object({ ...fields, enabled: fields.enabled.default(true) });

function create(call: Call) {
  const server = stateOf(call, acted(call));
  const body = readBody(call, createBody);
  if (server.schedules.length >= mostSchedules) throw conflict(`The server keeps at most ${mostSchedules} schedules`);
  const id = Math.max(0, ...server.schedules.map((other) => other.id)) + 1;
  const schedule: Schedule = { id, ...body, last_run_at: null };
  server.schedules.push(schedule);
  return success(201, { schedule });
}

const anyId = z.union([z.string(), z.number()]).optional();
const changeBody = z.object({ id: anyId, scheduleId: anyId, ...fields }).partial();

function change(call: Call) {
  acted(call);
  const { id, scheduleId, ...changes } = readBody(call, changeBody);
  const schedule = scheduleOf(call, call.params.scheduleId ?? id ?? scheduleId);
  Object.assign(schedule, changes);
  return ok({ schedule });
}

const removeBody = z.object({ id: anyId, scheduleId: anyId });

function remove(call: Call) {
  const server = stateOf(call, acted(call));
  const { id, scheduleId } = readBody(call, removeBody);
  const schedule = scheduleOf(call, call.params.scheduleId ?? id ?? scheduleId);
  server.schedules = server.schedules.filter((other) => other !== schedule);
  return ok({ deleted: true });
}

function run(call: Call) {
  const service = acted(call);
  refuseWithoutRuntime(service);
  const schedule = scheduleOf(call, param(call, "scheduleId"));
  schedule.last_run_at = isoNow(call.world);
  return ok({ schedule, started: true });
}

/** The runs of the coming week, day by day. */
function calendar(call: Call) {
  const service = gameOf(call);
  const { schedules } = stateOf(call, service);
  const days = Array.from({ length: 7 }, (_, ahead) => new Date(call.world.clock.now() + ahead * 86_400_000));
  const due = days.flatMap((day) => {
    const date = day.toISOString().slice(0, 10);
    return schedules.filter(({ enabled }) => enabled).map(({ id, name }) => ({ date, scheduleId: id, name }));
  });
  if (shapeOf(call, service.id, 2) === 0) return ok({ events: due });
  return ok(
    Object.fromEntries(
      days
        .map((day) => day.toISOString().slice(0, 10))
        .map((date) => [date, due.filter((event) => event.date === date)]),
    ),
  );
}

function scheduleOf(call: Call, id: string | number | undefined): Schedule {
  if (id === undefined) throw badField("id", "id is required");
  const schedule = stateOf(call, gameOf(call)).schedules.find((other) => String(other.id) === String(id));
  if (schedule === undefined) throw notFound("Schedule");
  return schedule;
}
