import { Refusal } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { switchGame } from "../../provisioning/hypervisor.ts";
import { type Game, gameOutcome } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, managing, type Route, viewing } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";

export const gameRoutes: Route[] = [
  { ...viewing, path: "/services/{id}/game", handle: show },
  { ...managing, permission: "services.power", path: "/services/{id}/game/power/{action}", handle: power },
];

// The spec does not show this document.
function show(call: Call) {
  const { id, name, game } = gameOf(call);
  const { title, state, slots } = game;
  if (shapeOf(call, id, 2) === 0)
    return ok({ server: { id, name, game: title, state, players: { online: 3, max: slots } } });
  return ok({ id, title, status: state, slots, capabilities: ["start", "stop", "restart", "kill"] });
}

function power(call: Call) {
  const service = gameOf(call);
  const { game } = service;
  const state = gameOutcome[param(call, "action")];
  if (state === undefined) throw new Refusal(400, "game.power_action_unknown", "This power action is not known");
  refuseOutOfService(service);
  return cooled(call, "power", service.id, () => {
    if (!game.runtime)
      throw new Refusal(409, "game.capability.runtime_stubbed", "No runtime is attached to this server");
    switchGame(call.world, service, state);
    return ok({ state: game.state });
  });
}

/** Game servers have codes of their own. */
function gameOf(call: Call): Game {
  const service = serviceOf(call);
  if (!call.world.settings.modules.game) throw new Refusal(403, "game.module_disabled", "The game module is off");
  if (service.kind !== "game" || !service.game.linked) {
    throw new Refusal(404, "game.server_not_found", "No game server is linked to this service");
  }
  return service;
}
