import * as z from "#zod";
import type { Step } from "../../operation/answer.ts";
import type { Declared, HarmlessAct } from "../../operation/operation.ts";
import type { GamePower } from "../../platform/customer/services.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import type { WriteOf, WriteRoute } from "../../platform/http/endpoint.ts";
import type { ApiName } from "../../platform/http/errors.ts";
import { capital, code } from "../../views/text.ts";
import { type Machine, powerOf, type SeenPower, type Sent } from "./power.ts";

const stateNames = ["state", "status", "power_state", "powerState", "current_state", "currentState"];
const Holder = z.record(z.string(), z.unknown());

/** The word for the server's state in a game module's document, whose layout no spec shows. Null where it has none. */
export function stateWordIn(document: unknown): string | null {
  const { data: whole } = Holder.safeParse(document);
  const { data: server } = Holder.safeParse(whole?.server);
  const words = [server, whole].flatMap((holder) => stateNames.map((name) => holder?.[name]));
  return words.filter((word) => typeof word === "string").find((word) => word !== "") ?? null;
}

// Known words alone decide anything. Of any other word, the answer quotes it and draws no conclusion.
const runningWords = /^(running|online|on|up|started|alive|ready)$/i;
const stoppedWords = /^(stopped|offline|off|down|exited|halted|dead|killed)$/i;
const changingWords = /^(starting|booting|stopping|restarting|pending|queued|installing|shutting[ _-]?down)$/i;

/** The power in a word of the game module's. */
export function gamePower(word: string | null): SeenPower {
  if (word === null) return { power: null, standing: "has a game module that names no state" };
  if (runningWords.test(word)) return { power: "running", standing: "is running" };
  if (stoppedWords.test(word)) return { power: "stopped", standing: "is stopped" };
  return { power: changingWords.test(word) ? "between" : null, standing: `is called ${code(word)} by its game module` };
}

/** The power actions that fit the server's state; all of them where it is unknown or on the way to another. */
export function powersFor(power: SeenPower["power"]): GamePower[] {
  if (power === "running") return ["restart", "stop", "kill"];
  return power === "stopped" ? ["start"] : ["start", "restart", "stop", "kill"];
}

/** The game servers of one API, as their power actions need them. */
interface GameServers<A extends ApiName, T, R extends WriteRoute>
  extends Pick<Machine<A, T, R, GamePower>, "command" | "reads" | "refuse" | "target"> {
  example: (action: GamePower) => Declared<A>["example"];
  /** "game server" */
  label: string;
  players: string;
  act: HarmlessAct<A, R> & ((client: ApiClient<A, WriteOf<R>>, id: string, action: GamePower) => Promise<Sent>);
  /** Reads the document of the game module. */
  read: (client: ApiClient<A>, id: string) => Promise<unknown>;
  /** True if the platform would accept the action in the server's billing state. */
  takes: (row: T, action: GamePower) => boolean;
}

/** The four power actions of the game servers of one API, and the buttons for them on a card. */
export function gamePowers<A extends ApiName, T, R extends WriteRoute>({
  example,
  label,
  players,
  read,
  takes,
  ...servers
}: GameServers<A, T, R>) {
  const idOf = (row: T) => servers.target.entry(row).id;

  function stepFor(row: T, verb: string): Step {
    return { label: capital(verb), command: servers.command(verb), target: idOf(row) };
  }

  function steps(row: T, power: SeenPower["power"]): Step[] {
    const fitting = powersFor(power).filter((action) => takes(row, action));
    return fitting.map((action) => stepFor(row, action));
  }

  const { one } = powerOf<A, T, R, GamePower>({
    ...servers,
    pace: { every: 5_000, deadline: 5 * 60_000 },
    send: (client, row, action) => servers.act(client, idOf(row), action),
    look: async (client, row) => gamePower(stateWordIn(await read(client, idOf(row)))),
    steps: (row, power) => [...steps(row, power), stepFor(row, "show")],
  });

  return {
    /** The buttons of a card: the actions that fit the state, then `others`, and last the kill. */
    cardSteps(row: T, word: string | null, others: Step[]): Step[] {
      const power = steps(row, gamePower(word).power);
      const isKill = ({ command }: Step) => command === servers.command("kill");
      return [...power.filter((step) => !isKill(step)), ...others, ...power.filter(isKill)];
    },
    start: one("start", { summary: `Start a ${label}`, example: example("start"), synonyms: [] }),
    stop: one("stop", {
      summary: `Stop a ${label}`,
      example: example("stop"),
      synonyms: [],
      interrupts: `${players} are disconnected, and the server stays off until somebody starts it.`,
    }),
    restart: one("restart", {
      summary: `Restart a ${label}`,
      example: example("restart"),
      synonyms: ["reboot"],
      interrupts: `${players} are disconnected while the server restarts.`,
    }),
    kill: one("kill", {
      summary: "Kill a game server that does not stop; unsaved data is lost",
      example: example("kill"),
      interrupts: `The server ends at once. ${players} are disconnected, and unsaved data is lost.`,
    }),
  };
}
