import { defineOperation } from "../operation/define.ts";
import { Refusal } from "../operation/errors.ts";
import type { TargetKind } from "../operation/target.ts";
import { listProducts } from "../platform/customer/catalog.ts";
import { listServices, powerGame, readGame, readService, type ServiceDetail } from "../platform/customer/services.ts";
import { secretsIn } from "../process/secret-parts.ts";
import { jsonBlocks } from "../views/json.ts";
import { code, prose } from "../views/text.ts";
import { stateWords } from "../views/values.ts";
import { card, showCommon } from "./kits/card.ts";
import { gamePowers, stateWordIn } from "./kits/game-power.ts";
import { listOperation } from "./kits/list.ts";
import { stateMark } from "./kits/service-states.ts";
import { anotherSteps } from "./order/order.ts";
import { kindOf, listInput, service, serviceName, serviceState } from "./service/service.ts";

/** Game servers: the platform lists them among all services, with type game. */
const game: TargetKind<"customer", ServiceDetail> = {
  ...service,
  noun: "game",
  kinds: ["game"],
  label: "game server",
  card: "game show",
  among: { kind: service, type: "game" },
  async read(client, id) {
    const found = await service.read(client, id);
    const { serviceType } = found.service;
    if (serviceType === "game") return found;
    const name = code(serviceName(found.service));
    throw new Refusal(
      serviceType === "unknown"
        ? `The platform does not say of which kind ${name} is, so nothing changed.`
        : `${name} is a ${kindOf(found.service)}, no game server. Nothing changed.`,
      [{ label: "Show it", command: "service show", target: id }],
    );
  },
};

const list = listOperation({
  kind: game,
  command: "game list",
  summary: "List the game servers",
  example: "/game list arena",
  act: listServices,
  input: listInput("active or suspended"),
  many: "game servers",
  mark: stateMark,
});

const { cardSteps, start, stop, restart, kill } = gamePowers({
  command: (verb) => `game ${verb}`,
  example: (action) => `/game ${action} ${action === "start" ? "arena-2" : "arena-1"}`,
  label: "game server",
  players: "Players",
  act: powerGame,
  reads: [readService, readGame],
  target: game,
  read: readGame,
  // The platform refuses them all for what is not active. Spec section 5.
  takes: ({ service: { status = "active" } }) => status === "active",
});

const show = defineOperation({
  ...showCommon,
  command: "game show",
  summary: "Show a game server as the platform describes it",
  example: "/game show arena-1",
  act: readGame,
  reads: [readService, listProducts],
  target: game,
  async run(call) {
    const { service } = call.target;
    const target = service.id;
    const found = await readGame(call.client, target);
    const word = stateWordIn(found);
    // An ended service has no machine whose state would matter.
    const state = word && service.status === "active" ? prose(stateWords(word), 60) : serviceState(service);
    return card({
      text: `${call.name} is ${state}.`,
      title: `:video_game: *${call.name}* is ${state}`,
      facts: [["Host name", service.hostname && code(service.hostname)]],
      details: jsonBlocks(found),
      id: `Game server ${code(target)}`,
      secrets: secretsIn(found),
      next: [
        ...cardSteps(call.target, word, [{ label: "Refresh", command: "game show", target, replace: true }]),
        ...(await anotherSteps(call, service)),
      ],
    });
  },
});

/** In the order of the help. */
export const gameOperations = [list, show, start, stop, restart, kill];
