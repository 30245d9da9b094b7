import * as z from "zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { gameConsoleAddress, openGameConsole } from "../../../platform/reseller/game/console.ts";
import { changeGameVars, powerGame, readGame, readGameAddons } from "../../../platform/reseller/game/server.ts";
import { readSftp, rotateSftp } from "../../../platform/reseller/game/sftp.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { code, listing } from "../../../views/text.ts";
import { bodyField, game, parseBody, parseOptionalBody, quotedName, readAnswer, stepsOf } from "./game.ts";
import { gameRead, gameWrite } from "./table.ts";

const show = defineOperation({
  command: "reseller game show",
  summary: "Show a game server that you sell on, and what can be done with it",
  act: readGame,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target }) {
    const found = await readGame(client, target.serviceId);
    const next = stepsOf(target, {
      Start: "start",
      Restart: "restart",
      Stop: "stop",
      Files: "files",
      Backups: "backups",
      Schedules: "schedules",
      Mods: "mods",
    });
    const refresh = stepsOf(target, { Refresh: "show" }).map((step) => ({ ...step, replace: true }));
    const headline = `:video_game: ${quotedName(target)} as its game module tells of it`;
    return readAnswer(headline, found, [...next, ...refresh]);
  },
});

const addons = gameRead("addons", {
  summary: "List what can be had beside a game server that you sell on",
  act: readGameAddons,
  input: z.object({}),
  headline: (server) => `Add-ons of ${server}`,
  next: { Show: "show" },
});

function power(action: string, words: { summary: string; verb: string; done: string; interrupts?: string }) {
  const { done, ...others } = words;
  const stops = action === "stop" || action === "kill";
  return gameWrite(action, {
    ...others,
    risk: "change",
    act: powerGame,
    bulk: true,
    input: z.object({}),
    send: (client, id) => powerGame(client, id, action),
    done: (server) => `${server} ${done}.`,
    endUnknown: true,
    next: { ...(stops ? { Start: "start" } : {}), Show: "show" },
    reconcile: unsure("The game module names its states as it likes. `/reseller game show` tells how it is."),
  });
}

const start = power("start", {
  summary: "Start a game server that you sell on",
  verb: "Start",
  done: "is told to start",
});
const stop = power("stop", {
  summary: "Stop a game server that you sell on",
  verb: "Stop",
  done: "is told to stop",
  interrupts: "Your customer's players are thrown out, and it stays off until it is started.",
});
const restart = power("restart", {
  summary: "Restart a game server that you sell on",
  verb: "Restart",
  done: "is told to restart",
  interrupts: "Your customer's players are thrown out while it restarts.",
});
const kill = power("kill", {
  summary: "Kill a game server that does not stop; what it has not saved is lost",
  verb: "Kill",
  done: "is killed",
  interrupts: "It ends at once: your customer's players are thrown out, and what is not saved is lost.",
});

const vars = defineOperation({
  command: "reseller game vars",
  summary: "Set variables of a game server that you sell on; many hold from its next start",
  act: changeGameVars,
  reads: [readService],
  risk: "change",
  verb: "Set variables",
  target: game,
  // A variable may be a secret: only a form takes them, and nothing shows them again.
  input: z.object({
    variables: bodyField.meta({
      title: "Variables",
      writeOnly: true,
      description: "name=value pairs, or a JSON object, as the supplier's game module wants it. Shown nowhere",
    }),
  }),
  async run({ client, target, input }) {
    const body = parseBody(input.variables);
    await changeGameVars(client, target.serviceId, body);
    const names = listing(Object.keys(body).map((name) => code(name)));
    return {
      text: `${quotedName(target)} took ${names}. It may need a restart until that holds.`,
      next: stepsOf(target, { Restart: "restart", Show: "show" }),
    };
  },
  reconcile: unsure("`/reseller game show` tells the variables. To set them to the same again harms nothing."),
});

const console = defineOperation({
  command: "reseller game console",
  summary: "Open a console session of a game server: the address of its websocket, once, for a client of your own",
  act: openGameConsole,
  reads: [readService],
  risk: "change",
  verb: "Open console",
  target: game,
  input: z.object({ body: bodyField.optional() }),
  async run({ client, target, input }) {
    const session = await openGameConsole(client, target.serviceId, parseOptionalBody(input.body));
    return {
      text: `A console session of ${quotedName(target)} was opened. It is a websocket, which Slack cannot open: its address is for who asked alone, for a client of their own.`,
      next: stepsOf(target, { Show: "show" }),
      secrets: [
        { label: "Websocket, with its token", value: gameConsoleAddress(session) },
        ...(session.origin ? [{ label: "Origin to send with it", value: session.origin }] : []),
      ],
    };
  },
  reconcile: unsure("A session that nobody saw ends by itself. Open another."),
});

const sftp = defineOperation({
  command: "reseller game sftp",
  summary: "Show how the files of a game server are reached by SFTP; its password is not shown",
  act: readSftp,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  run: async ({ client, target }) =>
    readAnswer(
      `SFTP of ${quotedName(target)}`,
      await readSftp(client, target.serviceId),
      stepsOf(target, { "New password": "sftp rotate" }),
    ),
});

const sftpRotate = defineOperation({
  command: "reseller game sftp rotate",
  summary: "Give a game server a new SFTP password, shown once; the one before no longer works",
  act: rotateSftp,
  reads: [readService],
  risk: "change",
  verb: "New SFTP password",
  target: game,
  input: z.object({}),
  interrupts: "The password that your customer has no longer works: they need the new one from you.",
  async run({ client, target }) {
    const { secrets } = await rotateSftp(client, target.serviceId);
    const note =
      secrets.length > 0
        ? "It is for who asked alone, once."
        : "The game module did not tell it: it is read in the supplier's panel.";
    return {
      text: `${quotedName(target)} has a new SFTP password; the one before no longer works. ${note}`,
      next: stepsOf(target, { SFTP: "sftp" }),
      secrets: secrets.map(({ name, value }) => ({ label: name, value })),
    };
  },
  reconcile: unsure("If it was done, nobody has the new password. Ask for another: only the last one holds."),
});

/** The server itself, in the order of the guide. */
export const serverOperations = [show, addons, start, stop, restart, kill, vars, console];
export const sftpOperations = [sftp, sftpRotate];
