// reseller/game/: the routes of game servers: what the game module shows and does, within its limits. The spec shows the
// shape of almost none of them, so that each payload comes in two.

import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { badRequest, conflict, forbidden, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type GameServer, gameServerOf } from "../../programme/game.ts";
import { switchGame } from "../../provisioning/hypervisor.ts";
import { type Game, gameOutcome } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";

export const path = "/services/{id}/game";

export const gameServerRoutes: Route[] = [
  { method: "GET", path, scope: "read", handle: show },
  { method: "GET", path: `${path}/addons`, scope: "read", handle: addons },
  { method: "PATCH", path: `${path}/vars`, scope: "services", handle: changeVars },
  { method: "POST", path: `${path}/power/{action}`, scope: "services", handle: power },
  { method: "POST", path: `${path}/console`, scope: "services", handle: openConsole },
  { method: "GET", path: `${path}/sftp`, scope: "read", handle: showSftp },
  { method: "POST", path: `${path}/sftp/rotate`, scope: "services", handle: rotateSftp },
];

const can = { power: ["start", "stop", "restart", "kill"], console: true, files: true, backups: true, mods: true };

function show(call: Call) {
  const service = gameOf(call);
  const { title, state, slots } = service.game;
  const { vars } = stateOf(call, service);
  if (shapeOf(call, service.id, 2) === 0) {
    const server = { id: service.id, game: title, state, players: { online: 3, max: slots }, vars };
    return ok({ server, capabilities: can });
  }
  const variables = Object.entries(vars).map(([name, value]) => ({ name, value }));
  return ok({ server: { title, status: state, slots, variables }, capabilities: Object.keys(can) });
}

function addons(call: Call) {
  const service = gameOf(call);
  const rows = [{ id: "extra-slots", name: "Extra slots", per: 10 }];
  return ok(shapeOf(call, service.id, 2) === 0 ? { addons: rows } : rows);
}

const varsBody = z.union([
  z.object({ vars: z.record(z.string(), z.string("A value must be text")) }),
  z.record(z.string(), z.string("A value must be text")),
]);

/** By name, at the top or below `vars`; of a name that the game does not have nothing is set. */
function changeVars(call: Call) {
  const service = acted(call);
  const body = readBody(call, varsBody);
  const newVars: Record<string, unknown> = typeof body.vars === "object" ? body.vars : body;
  const { vars } = stateOf(call, service);
  const unknown = Object.keys(newVars).filter((name) => !(name in vars));
  if (unknown.length > 0) throw badRequest(`The game has no variables ${unknown.join(", ")}`);
  for (const [name, value] of Object.entries(newVars)) vars[name] = String(value);
  return ok(shapeOf(call, service.id, 2) === 0 ? { ...vars } : { vars: { ...vars }, restartRequired: true });
}

/** A suspended server is still stopped and restarted (spec 4.3). */
function power(call: Call) {
  const action = param(call, "action");
  const found = gameOf(call);
  const service = action !== "start" && found.status === "suspended" ? found : acted(call);
  const state = gameOutcome[action];
  if (state === undefined) throw badRequest("This power action is not known");
  refuseWithoutRuntime(service);
  switchGame(call.world, service, state);
  return ok({ state: service.game.state });
}

/** The socket is at `wsOrigin`, and the token opens it. */
function openConsole(call: Call) {
  const service = acted(call);
  refuseWithoutRuntime(service);
  return ok({
    origin: "https://games.practice.example",
    wsOrigin: "wss://games.practice.example",
    ws_path: `/ws/${randomUUID()}`,
    token: randomBytes(24).toString("hex"),
  });
}

/** The answer shows the password where the request asks for it, or only when it is new. */
function showSftp(call: Call) {
  const { id } = gameOf(call);
  const address = { host: "sftp.practice.example", port: 2022 };
  if (shapeOf(call, id, 2) === 0) return ok({ ...address, username: `game-${id.slice(0, 8)}` });
  const { sftpPassword } = stateOf(call, gameOf(call));
  return ok({ sftp: { ...address, credentials: { user: `game-${id.slice(0, 8)}`, password: sftpPassword } } });
}

function rotateSftp(call: Call) {
  const service = acted(call);
  const server = stateOf(call, service);
  server.sftpPassword = randomBytes(12).toString("hex");
  const { sftpPassword: password } = server;
  return ok(shapeOf(call, service.id, 2) === 0 ? { password } : { sftp_password: password, username: service.name });
}

/** The game server behind a service; where there is none, or the module is off, that is said. */
export function gameOf(call: Call): Game {
  const service = serviceOf(call);
  if (!call.world.settings.modules.game) throw forbidden("The game module is off");
  if (service.kind !== "game" || !service.game.linked) throw notFound("Game server");
  return service;
}

/** The same, when it may be acted on. */
export function acted(call: Call): Game {
  const service = gameOf(call);
  refuseOutOfService(call, service);
  return service;
}

export function refuseWithoutRuntime({ game }: Game): void {
  if (!game.runtime) throw conflict("No runtime is attached to this server");
}

export function stateOf(call: Call, service: Game): GameServer {
  return gameServerOf(call.partner, service.id, call.world.clock.now());
}
