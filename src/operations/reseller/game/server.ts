import * as z from "zod";
import { type Step, unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { GamePower } from "../../../platform/customer/game.ts";
import { gameConsoleAddress, openGameConsole } from "../../../platform/reseller/game/console.ts";
import { changeGameVars, powerGame, readGame, readGameAddons } from "../../../platform/reseller/game/server.ts";
import { readSftp, rotateSftp } from "../../../platform/reseller/game/sftp.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { stateWords } from "../../../views/states.ts";
import { code, listing, prose } from "../../../views/text.ts";
import { card } from "../../kits/card.ts";
import {
  powerAnswer,
  powerProgress,
  powerReconciled,
  powersFor,
  powerTracking,
  stateWordIn,
} from "../../kits/game-power.ts";
import { capital } from "../../kits/lines.ts";
import { nameOf, stateOf } from "../service/service.ts";
import {
  bodyField,
  game,
  parseOptionalBody,
  parseTexts,
  quotedName,
  readAnswer,
  requireAccepted,
  stepsOf,
  unnamedFields,
} from "./game.ts";
import { gameRead } from "./table.ts";

const show = defineOperation({
  command: "reseller game show",
  synonyms: ["status", "info", "details"],
  summary: "Show a resold game server and its actions",
  act: readGame,
  reads: [readService],
  risk: "read",
  target: game,
  input: z.object({}),
  async run({ client, target }) {
    const found = await readGame(client, target.serviceId);
    const word = stateWordIn(found);
    const power = powerSteps(target, word);
    const isKill = ({ label }: Step) => label === "Kill";
    const next = [
      ...power.filter((step) => !isKill(step)),
      ...stepsOf(target, { Files: "files", Backups: "backups", Schedules: "schedules", Mods: "mods" }),
    ];
    const refresh = stepsOf(target, { Refresh: "show" }).map((step) => ({ ...step, replace: true }));
    const state = word && target.status === "active" ? prose(stateWords(word), 60) : stateOf(target);
    const { blocks = [], secrets } = readAnswer("As its game module shows it", found, []);
    return card({
      text: `${quotedName(target)} is ${state}.`,
      title: `:video_game: *${quotedName(target)}* is ${state}`,
      facts: [["Sold to", target.externalCustomerId && code(target.externalCustomerId)]],
      details: blocks,
      id: `Service ${code(target.serviceId)}`,
      next: [...next, ...refresh, ...power.filter(isKill)],
      secrets,
    });
  },
});

const addons = gameRead("addons", {
  summary: "List the add-ons for a resold game server",
  act: readGameAddons,
  input: z.object({}),
  headline: (server) => `Add-ons of ${server}`,
  next: { Show: "show" },
});

function powerSteps(row: Service, word: string | null): Step[] {
  return stepsOf(row, Object.fromEntries(powersFor(word).map((action) => [capital(action), action])));
}

function power(action: GamePower, words: { summary: string; interrupts?: string; synonyms?: string[] }) {
  return defineOperation({
    ...words,
    command: `reseller game ${action}`,
    verb: capital(action),
    group: "power",
    act: powerGame,
    reads: [readGame, readService],
    risk: "change",
    target: game,
    bulk: true,
    input: z.object({}),
    usable: ({ target }) => requireAccepted(target, action),
    async run({ client, target }) {
      await powerGame(client, target.serviceId, action);
      return { ...powerAnswer(nameOf(target), action), next: stepsOf(target, { Show: "show" }) };
    },
    reconcile: async ({ client, target }) =>
      powerReconciled(nameOf(target), stateWordIn(await readGame(client, target.serviceId)), action),
    follow: {
      ...powerTracking,
      async poll({ client, targetId }, handle) {
        const [row, found] = await Promise.all([readService(client, targetId), readGame(client, targetId)]);
        const word = stateWordIn(found);
        const steps = [...powerSteps(row, word), ...stepsOf(row, { Show: "show" })];
        return powerProgress({ name: nameOf(row), word, action: handle.action, steps });
      },
    },
  });
}

const start = power("start", {
  summary: "Start a resold game server",
});
const stop = power("stop", {
  summary: "Stop a resold game server",
  interrupts: "Your customer's players are disconnected, and the server stays off until somebody starts it.",
});
const restart = power("restart", {
  summary: "Restart a resold game server",
  synonyms: ["reboot"],
  interrupts: "Your customer's players are disconnected while the server restarts.",
});
const kill = power("kill", {
  summary: "Kill a game server that does not stop; unsaved data is lost",
  interrupts: "The server ends at once. Your customer's players are disconnected, and unsaved data is lost.",
});

const vars = defineOperation({
  command: "reseller game vars",
  summary: "Set variables of a resold game server; many apply from its next start",
  act: changeGameVars,
  reads: [readService],
  risk: "change",
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
  async run({ client, target, input }) {
    const body = parseTexts(input.variables);
    await changeGameVars(client, target.serviceId, body);
    const names = listing(Object.keys(body).map((name) => code(name)));
    return {
      text: `${quotedName(target)} accepted ${names}. The server may need a restart to apply them.`,
      next: stepsOf(target, { Restart: "restart", Show: "show" }),
    };
  },
  reconcile: unsure("`/reseller game show` shows the variables. Setting the same values again is safe."),
});

const console = defineOperation({
  command: "reseller game console",
  group: "access",
  summary: "Open a console session of a game server: a websocket address, shown once, for your own client",
  act: openGameConsole,
  reads: [readService],
  risk: "change",
  verb: "Open console of",
  target: game,
  usable: ({ target }) => requireAccepted(target, "console"),
  input: z.object({ body: bodyField.optional() }),
  async run({ client, target, input }) {
    const session = await openGameConsole(client, target.serviceId, parseOptionalBody(input.body));
    return {
      text: `A console session of ${quotedName(target)} is open. Slack cannot open its websocket. Only the requester gets the address, for their own client.`,
      next: stepsOf(target, { Show: "show" }),
      secrets: [
        { label: "Websocket, with its token", value: gameConsoleAddress(session) },
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
  group: "access",
  summary: "Give a game server a new SFTP password, shown once; the old password stops working",
  act: rotateSftp,
  reads: [readService],
  risk: "change",
  verb: "Reset SFTP password of",
  target: game,
  usable: ({ target }) => requireAccepted(target, "sftp rotate"),
  input: z.object({}),
  interrupts: "Your customer's present password stops working. They need the new one from you.",
  async run({ client, target }) {
    const { secrets } = await rotateSftp(client, target.serviceId);
    const note =
      secrets.length > 0
        ? "Only the requester can open it, once."
        : "The game module did not send the password: read it in the platform's panel.";
    return {
      text: `${quotedName(target)} has a new SFTP password; the old one no longer works. ${note}`,
      next: stepsOf(target, { SFTP: "sftp" }),
      secrets: secrets.map(({ name, value }) => ({ label: name, value })),
    };
  },
  reconcile: unsure("If the password changed, nobody has seen the new one. Ask for another: only the last one works."),
});

/** The server itself, in the order of the guide. */
export const serverOperations = [show, addons, start, stop, restart, kill, vars, console];
export const sftpOperations = [sftp, sftpRotate];
