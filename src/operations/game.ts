import * as z from "zod";
import { everyProject, listFields } from "../notifications/answers/list.ts";
import type { Step } from "../operation/answer.ts";
import { defineOperation } from "../operation/define.ts";
import { Refusal } from "../operation/errors.ts";
import type { TargetKind } from "../operation/target.ts";
import { listProducts } from "../platform/customer/catalog.ts";
import { type GamePower, powerGame, readGame } from "../platform/customer/game.ts";
import { listServices, readService, type Service, type ServiceDetail } from "../platform/customer/services.ts";
import { secretsIn } from "../secret-parts.ts";
import { jsonBlocks } from "../views/json.ts";
import { stateWords } from "../views/states.ts";
import { code, prose } from "../views/text.ts";
import { card } from "./kits/card.ts";
import {
  powerAnswer,
  powerProgress,
  powerReconciled,
  powersFor,
  powerTracking,
  stateWordIn,
} from "./kits/game-power.ts";
import { capital } from "./kits/lines.ts";
import { listOperation } from "./kits/list.ts";
import { markOf } from "./kits/service-states.ts";
import { anotherSteps } from "./order/order.ts";
import { nameOf, service, stateOf } from "./service/service.ts";

/** Game servers: the platform lists them among all services, with type game. */
const game: TargetKind<"customer", ServiceDetail> = {
  ...service,
  noun: "game",
  label: "game server",
  card: "game show",
  among: { kind: service, type: "game" },
  async read(client, id) {
    const found = await service.read(client, id);
    if (found.service.serviceType !== "game")
      throw new Refusal(`${code(nameOf(found.service))} is no game server. Nothing changed.`);
    return found;
  },
};

const list = listOperation({
  kind: game,
  command: "game list",
  synonyms: ["ls"],
  summary: "List the game servers",
  act: listServices,
  input: z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, host name or id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active or suspended" }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  many: "game servers",
  mark: markOf,
});

const show = defineOperation({
  command: "game show",
  synonyms: ["status", "info", "details"],
  summary: "Show a game server as the platform describes it",
  act: readGame,
  reads: [readService, listProducts],
  risk: "read",
  target: game,
  input: z.object({}),
  async run(call) {
    const { service } = call.target;
    const target = service.id;
    const found = await readGame(call.client, target);
    const word = stateWordIn(found);
    const power = powerSteps(service, word);
    // An ended service has no machine whose state would matter.
    const state = word && service.status === "active" ? prose(stateWords(word), 60) : stateOf(service);
    return card({
      text: `${code(nameOf(service))} is ${state}.`,
      title: `:video_game: *${code(nameOf(service))}* is ${state}`,
      facts: [["Host name", service.hostname && code(service.hostname)]],
      details: jsonBlocks(found),
      id: `Game server ${code(target)}`,
      secrets: secretsIn(found),
      next: [
        ...power.filter(({ command }) => command !== "game kill"),
        { label: "Refresh", command: "game show", target, replace: true },
        ...power.filter(({ command }) => command === "game kill"),
        ...(await anotherSteps(call, service)),
      ],
    });
  },
});

/** The power actions that the platform would accept now: it refuses them all for what is not active. Spec section 5. */
function powerSteps({ id: target, status = "active" }: Service, word: string | null): Step[] {
  const powers = status === "active" ? powersFor(word) : [];
  return powers.map((action) => ({ label: capital(action), command: `game ${action}`, target }));
}

function showStep(target: string): Step {
  return { label: "Show", command: "game show", target };
}

function gamePower(action: GamePower, words: { summary: string; interrupts?: string; synonyms?: string[] }) {
  return defineOperation({
    command: `game ${action}`,
    group: "power",
    act: powerGame,
    reads: [readService, readGame],
    risk: "change",
    target: game,
    bulk: true,
    input: z.object({}),
    ...words,
    async run({ client, target: { service } }) {
      await powerGame(client, service.id, action);
      return { ...powerAnswer(nameOf(service), action), next: [showStep(service.id)] };
    },
    reconcile: async ({ client, target: { service } }) =>
      powerReconciled(nameOf(service), stateWordIn(await readGame(client, service.id)), action),
    follow: {
      ...powerTracking,
      async poll({ client, targetId }, handle) {
        const [{ service }, found] = await Promise.all([readService(client, targetId), readGame(client, targetId)]);
        const word = stateWordIn(found);
        const steps = [...powerSteps(service, word), showStep(targetId)];
        return powerProgress({ name: nameOf(service), word, action: handle.action, steps });
      },
    },
  });
}

const start = gamePower("start", { summary: "Start a game server" });
const stop = gamePower("stop", {
  summary: "Stop a game server",
  interrupts: "Players are disconnected, and the server stays off until somebody starts it.",
});
const restart = gamePower("restart", {
  summary: "Restart a game server",
  synonyms: ["reboot"],
  interrupts: "Players are disconnected while the server restarts.",
});
const kill = gamePower("kill", {
  summary: "Kill a game server that does not stop; unsaved data is lost",
  interrupts: "The server ends at once. Players are disconnected, and unsaved data is lost.",
});

/** In the order of the help. */
export const gameOperations = [list, show, start, stop, restart, kill];
