import * as z from "#zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { ReplacedSecret } from "../../../operation/interrupts.ts";
import {
  changeGameVars,
  gameConsoleAddress,
  openGameConsole,
  powerGame,
  readGame,
  readGameAddons,
  readSftp,
  rotateSftp,
} from "../../../platform/reseller/game/server.ts";
import { plainly } from "../../../process/plain-text.ts";
import { labelledSecrets, mentionsSecret } from "../../../process/secret-parts.ts";
import { code, listing, prose } from "../../../views/text.ts";
import { stateWords } from "../../../views/values.ts";
import { card, showCommon } from "../../kits/card.ts";
import { gamePowers, stateWordIn } from "../../kits/game-power.ts";
import { soldName, soldState } from "../service/service.ts";
import {
  bodyField,
  game,
  gameRead,
  isAccepted,
  parseOptionalBody,
  parseTexts,
  readAnswer,
  requireAccepted,
  stepsOf,
  unnamedFields,
} from "./game.ts";

const { cardSteps, start, stop, restart, kill } = gamePowers({
  command: (verb) => `reseller game ${verb}`,
  example: (action) => `/reseller game ${action} arena-1`,
  label: "resold game server",
  players: "Your customer's players",
  act: powerGame,
  reads: [readGame],
  target: game,
  read: readGame,
  takes: isAccepted,
  refuse: requireAccepted,
});

const show = defineOperation({
  ...showCommon,
  command: "reseller game show",
  summary: "Show a resold game server and its actions",
  example: "/reseller game show arena-1",
  act: readGame,
  target: game,
  async run({ client, target, name }) {
    const found = await readGame(client, target.serviceId);
    const word = stateWordIn(found);
    const lists = stepsOf(target, { Files: "files", Backups: "backups", Schedules: "schedules", Mods: "mods" });
    const refresh = stepsOf(target, { Refresh: "show" }).map((step) => ({ ...step, replace: true }));
    const state = word && target.status === "active" ? prose(stateWords(word), 60) : soldState(target);
    const { blocks = [], secrets } = readAnswer("As its game module shows it", found, []);
    return card({
      text: `${name} is ${state}.`,
      title: `:video_game: *${name}* is ${state}`,
      facts: [["Sold to", target.externalCustomerId && code(target.externalCustomerId)]],
      details: blocks,
      id: `Service ${code(target.serviceId)}`,
      next: cardSteps(target, word, [...lists, ...refresh]),
      secrets,
    });
  },
});

const addons = gameRead("addons", {
  summary: "List the add-ons for a resold game server",
  example: "/reseller game addons arena-1",
  act: readGameAddons,
  input: z.object({}),
  headline: (server) => `Add-ons of ${server}`,
  next: { Show: "show" },
});

const vars = defineOperation({
  command: "reseller game vars",
  summary: "Set variables of a resold game server; many apply from its next start",
  example: "/reseller game vars arena-1",
  act: changeGameVars,
  risk: "change",
  effects: [],
  replaces: ({ input }) => secretVariable(input.variables),
  verb: "Set variables of",
  target: game,
  usable: ({ target }) => requireAccepted(target, "vars"),
  // A variable may be a secret: only a form takes them, and nothing shows them again.
  input: z.object({
    variables: bodyField.meta({
      title: "Variables",
      writeOnly: true,
      description: `name=value pairs, or a JSON object. ${unnamedFields} Rackbell never shows them`,
    }),
  }),
  async run({ client, target, input, name }) {
    const body = parseTexts(input.variables);
    await changeGameVars(client, target.serviceId, body);
    const names = listing(Object.keys(body).map((variable) => code(variable)));
    return {
      text: `${name} accepted ${names}. The server may need a restart to apply them.`,
      next: stepsOf(target, { Restart: "restart", Show: "show" }),
    };
  },
  reconcile: unsure("`/reseller game show` shows the variables. Setting the same values again is safe."),
});

/** A variable such as `RCON_PASSWORD`: people use its present value until then. */
function secretVariable(variables: string): ReplacedSecret | null {
  const isSecret = Object.keys(parseTexts(variables)).some(mentionsSecret);
  return isSecret ? { secret: "password or key", maker: "The game module" } : null;
}

const console = defineOperation({
  command: "reseller game console",
  group: "access",
  summary: "Open a console session of a game server: a websocket address, shown once, for your own client",
  example: "/reseller game console arena-1",
  act: openGameConsole,
  risk: "change",
  effects: [],
  verb: "Open console of",
  target: game,
  usable: ({ target }) => requireAccepted(target, "console"),
  input: z.object({ body: bodyField.optional() }),
  async run({ client, target, input, name }) {
    const session = await openGameConsole(client, target.serviceId, parseOptionalBody(input.body));
    return {
      text: `A console session of ${name} is open. Slack cannot open its websocket. Only the requester gets the address, for their own client.`,
      next: stepsOf(target, { Show: "show" }),
      secrets: [
        {
          label: plainly`Websocket of the console of ${soldName(target)}, with its token`,
          value: gameConsoleAddress(session),
        },
        ...(session.origin ? [{ label: "Origin to send with it", value: session.origin }] : []),
      ],
    };
  },
  reconcile: unsure("An unused session ends by itself. Open another one."),
});

const sftp = defineOperation({
  command: "reseller game sftp",
  agents: "never",
  summary: "Show the SFTP access of a game server, without its password",
  example: "/reseller game sftp arena-1",
  act: readSftp,
  risk: "read",
  target: game,
  input: z.object({}),
  run: async ({ client, target, name }) =>
    readAnswer(
      `SFTP of ${name}`,
      await readSftp(client, target.serviceId),
      stepsOf(target, { "New password": "sftp rotate" }),
    ),
});

const sftpRotate = defineOperation({
  command: "reseller game sftp rotate",
  group: "access",
  summary: "Give a game server a new SFTP password, shown once; the old password stops working",
  example: "/reseller game sftp rotate arena-1",
  act: rotateSftp,
  risk: "change",
  effects: [],
  verb: "Reset SFTP password of",
  target: game,
  usable: ({ target }) => requireAccepted(target, "sftp rotate"),
  input: z.object({}),
  replaces: { secret: "SFTP password", maker: "The game module" },
  async run({ client, target, name }) {
    const { secrets } = await rotateSftp(client, target.serviceId);
    const note =
      secrets.length > 0
        ? "It is in the requester's direct messages with me."
        : "The game module did not send the password: read it in the platform's panel.";
    return {
      text: `${name} has a new SFTP password; the old one no longer works. ${note}`,
      next: stepsOf(target, { SFTP: "sftp" }),
      secrets: labelledSecrets(secrets),
    };
  },
  reconcile: unsure("If the password changed, nobody has seen the new one. Ask for another: only the last one works."),
});

/** The server itself, in the order of the guide. */
export const serverOperations = [show, addons, start, stop, restart, kill, vars, console];
export const sftpOperations = [sftp, sftpRotate];
