import * as z from "#zod";
import { unsure } from "../../../operation/answer.ts";
import { uploadSchema } from "../../../operation/input.ts";
import { uploadBytes } from "../../../platform/reseller/game/files.ts";
import {
  changeGameBackupAt,
  changeGameBackups,
  changeSchedule,
  changeScheduleAt,
  createGameBackup,
  createSchedule,
  deleteGameBackup,
  deleteSchedule,
  deleteScheduleAt,
  installMod,
  listGameBackups,
  listMods,
  listSchedules,
  readCalendar,
  readModProject,
  readModSources,
  readModVersions,
  removeMod,
  restoreGameBackup,
  runSchedule,
  searchMods,
  uploadMod,
} from "../../../platform/reseller/game/lists.ts";
import { plainly } from "../../../process/plain-text.ts";
import { code } from "../../../views/text.ts";
import { paramsWords } from "../../kits/provider-action.ts";
import { soldName } from "../service/service.ts";
import {
  type Buttons,
  bodyField,
  gameRead,
  gameWrite,
  idField,
  mergeQuery,
  moduleList,
  parseBody,
  parseOptionalBody,
  queryField,
  unnamedFields,
} from "./game.ts";

const backups = moduleList("backup", listGameBackups);

const backupList = backups.operation({
  summary: "List the backups of a resold game server",
  example: "/reseller game backups arena-1",
  next: { "Back up now": "backup create", "Delete one…": "backup delete" },
  press: ["Restore…", "backup restore"],
});

const backupCreate = gameWrite("backup create", {
  ...backups.addition,
  summary: "Start a backup of a resold game server",
  example: '/reseller game backup create arena-1 body="name=nightly"',
  act: createGameBackup,
  verb: "Back up",
  input: z.object({ body: bodyField.optional() }),
  send: (client, id, { body }) => createGameBackup(client, id, parseOptionalBody(body)),
  done: (server) => `A backup of ${server} was started.`,
  next: { Backups: "backups" },
});

const backupChange = gameWrite("backup change", {
  ...backups.chosen,
  summary: "Change a backup of a game server, or the settings of all its backups",
  example: '/reseller game backup change arena-1 backup=before-the-patch body="name=weekly"',
  act: changeGameBackups,
  writes: [changeGameBackupAt],
  risk: "change",
  verb: "Change backup of",
  input: z.object({
    body: bodyField,
    backup: idField("Backup").optional().meta({
      title: "Backup",
      description: "If empty, the change goes to the list of backups, and the body names the backup",
    }),
  }),
  send: (client, id, { body, backup }) =>
    backup === undefined
      ? changeGameBackups(client, id, parseBody(body))
      : changeGameBackupAt(client, id, backup, parseBody(body)),
  done: (server, { backup }) =>
    `${server} accepted the change of ${backup === undefined ? "its backups" : `the backup ${code(backup)}`}.`,
  next: { Backups: "backups" },
  reconcile: unsure("`/reseller game backups` shows the backups."),
});

const overwriting = backups.review((name, server, { target }) => ({
  consequence: `The backup ${code(name)} will overwrite the present data of ${server}. This cannot be undone.`,
  press: plainly`Overwrite ${soldName(target)}`,
  back: "Keep it as it is",
}));

const backupRestore = gameWrite("backup restore", {
  ...backups.chosen,
  summary: "Restore a backup of a game server; it overwrites the server's present data",
  example: "/reseller game backup restore arena-1 backup=before-the-patch",
  act: restoreGameBackup,
  risk: "destroy",
  // Its game module may stop it meanwhile.
  effects: [{ aspect: "power", through: ["stopped"], to: [] }],
  verb: "Restore backup of",
  input: z.object({ backup: idField("Backup") }),
  async review(call) {
    const { isListed, preconditions, ...review } = await overwriting(call);
    const text = isListed ? "yes" : "unknown: the list of backups cannot be read";
    return {
      ...review,
      preconditions: {
        ...preconditions,
        listed: { value: isListed, label: "Listed", text, ...(isListed ? {} : { decides: "unknown" }) },
      },
    };
  },
  send: (client, id, { backup }) => restoreGameBackup(client, id, backup),
  done: (server) => `The game module is restoring the backup of ${server}. The data from before is lost.`,
  next: { Show: "show" },
  reconcile: unsure("The game module does not show if it restored the backup. Check the data on the server."),
});

const backupRemove = gameWrite("backup delete", {
  ...backups.removal((name, server) => ({
    consequence: `This will delete the backup ${code(name)} of ${server}. Nobody can restore it afterwards.`,
    press: plainly`Delete backup ${name}`,
    back: "Keep it",
  })),
  summary: "Delete a backup of a resold game server",
  example: "/reseller game backup delete arena-1 backup=nightly",
  act: deleteGameBackup,
  verb: "Delete backup of",
  input: z.object({ backup: idField("Backup") }),
  send: (client, id, { backup }) => deleteGameBackup(client, id, backup),
  done: (server) => `A backup of ${server} is deleted. This cannot be undone.`,
  next: { Backups: "backups" },
});

export const backupOperations = [backupList, backupCreate, backupChange, backupRestore, backupRemove];

const schedules = moduleList("schedule", listSchedules);

const scheduleList = schedules.operation({
  summary: "List the schedules of a resold game server",
  example: "/reseller game schedules arena-1",
  next: { Calendar: "calendar", "New…": "schedule create", "Delete one…": "schedule delete" },
  press: ["Run now", "schedule run"],
});

const scheduleCalendar = gameRead("calendar", {
  summary: "Show when the schedules of a resold game server are due",
  example: "/reseller game calendar arena-1",
  act: readCalendar,
  input: z.object({ query: queryField }),
  query: ({ query }) => mergeQuery(query),
  headline: (server) => `Calendar of ${server}`,
  next: { Schedules: "schedules" },
});

const scheduleCreate = gameWrite("schedule create", {
  ...schedules.addition,
  summary: "Create a schedule on a resold game server",
  example: `/reseller game schedule create arena-1 body='{"name":"nightly","cron":"0 5 * * *","action":"restart"}'`,
  act: createSchedule,
  verb: "Make schedule on",
  input: z.object({ body: bodyField }),
  send: (client, id, { body }) => createSchedule(client, id, parseBody(body)),
  done: (server) => `${server} has a new schedule.`,
  next: { Schedules: "schedules" },
});

const scheduleChange = gameWrite("schedule change", {
  ...schedules.chosen,
  summary: "Change a schedule of a resold game server",
  example: '/reseller game schedule change arena-1 schedule="Nightly restart" body="name=nightly"',
  act: changeSchedule,
  writes: [changeScheduleAt],
  risk: "change",
  verb: "Change schedule of",
  input: z.object({
    body: bodyField,
    schedule: idField("Schedule").optional().meta({
      title: "Schedule",
      description: "If empty, the change goes to the list of schedules, and the body names the schedule",
    }),
  }),
  send: (client, id, { body, schedule }) =>
    schedule === undefined
      ? changeSchedule(client, id, parseBody(body))
      : changeScheduleAt(client, id, schedule, parseBody(body)),
  done: (server) => `A schedule of ${server} was changed.`,
  next: { Schedules: "schedules" },
  reconcile: unsure("`/reseller game schedules` shows the schedules."),
});

const scheduleRun = gameWrite("schedule run", {
  ...schedules.chosen,
  summary: "Run a schedule of a game server now, outside its set times",
  example: '/reseller game schedule run arena-1 schedule="Nightly restart"',
  act: runSchedule,
  risk: "change",
  verb: "Run schedule of",
  input: z.object({ schedule: idField("Schedule") }),
  interrupts: "The schedule runs at once. If it restarts the server, your customer's players are disconnected.",
  send: (client, id, { schedule }) => runSchedule(client, id, schedule),
  done: (server) => `A schedule of ${server} runs now.`,
  next: { Show: "show" },
  reconcile: unsure("If the game module names the last run, `/reseller game schedules` shows it."),
});

const scheduleRemove = gameWrite("schedule delete", {
  ...schedules.removal((name, server) => ({
    consequence: `This will delete the schedule ${code(name)} of ${server}. Its actions will not run again.`,
    press: plainly`Delete ${name}`,
    back: "Keep it",
  })),
  summary: "Delete a schedule of a resold game server",
  example: '/reseller game schedule delete arena-1 schedule="Nightly restart"',
  act: deleteSchedule,
  writes: [deleteScheduleAt],
  verb: "Delete schedule of",
  input: z.object({
    schedule: idField("Schedule"),
    place: z
      .enum(["path", "body"])
      .default("path")
      .meta({ title: "Id sent in", description: "In the path, or in the body as id and scheduleId" }),
  }),
  send: (client, id, { schedule, place }) =>
    place === "path"
      ? deleteScheduleAt(client, id, schedule)
      : deleteSchedule(client, id, { id: schedule, scheduleId: schedule }),
  done: (server) => `A schedule of ${server} is deleted.`,
  next: { Schedules: "schedules" },
});

export const scheduleOperations = [
  scheduleList,
  scheduleCalendar,
  scheduleCreate,
  scheduleChange,
  scheduleRun,
  scheduleRemove,
];

const mods = moduleList("mod", listMods);

const modList = mods.operation({
  summary: "List the mods of a resold game server",
  example: "/reseller game mods arena-1",
  next: { "Search…": "mod search", "Install…": "mod install" },
  press: ["Remove…", "mod remove"],
});

const modSources = gameRead("mod sources", {
  summary: "List the mod sources of a game server",
  example: "/reseller game mod sources arena-1",
  act: readModSources,
  input: z.object({}),
  headline: (server) => `Mod sources of ${server}`,
  next: { "Search…": "mod search" },
});

const modSearch = gameRead("mod search", {
  phrase: "Search mods",
  summary: "Search for mods for a game server",
  example: "/reseller game mod search arena-1 text=map",
  act: searchMods,
  input: z.object({ text: z.string().trim().min(1).max(200).meta({ title: "Text" }), query: queryField }),
  // The spec does not name the field of the search words, so both usual names are sent.
  query: ({ text, query }) => mergeQuery(query, { query: text, q: text }),
  headline: (server, { text }) => `Mods for ${server} that match ${code(text)}`,
  next: { "Install…": "mod install" },
});

const projectInput = z.object({
  project: z.string().trim().min(1).max(200).meta({ title: "Project", description: "Its id from the search" }),
  query: queryField,
});

/** The spec does not name the field of the project, so each usual name is sent. */
function projectQuery({ project, query }: z.output<typeof projectInput>) {
  return mergeQuery(query, { project, projectId: project, id: project });
}

const modVersions = gameRead("mod versions", {
  summary: "List the versions of a mod for a game server",
  example: "/reseller game mod versions arena-1 project=deep-caves",
  act: readModVersions,
  input: projectInput,
  query: projectQuery,
  headline: (_, { project }) => `Versions of ${code(project)}`,
  next: { "Install…": "mod install" },
});

const modShow = gameRead("mod show", {
  phrase: "Show a mod",
  summary: "Show a mod as its source describes it",
  example: "/reseller game mod show arena-1 project=deep-caves",
  act: readModProject,
  input: projectInput,
  query: projectQuery,
  headline: (_, { project }) => `The mod ${code(project)}`,
  next: { Versions: "mod versions" },
  carry: ({ project }) => ({ project }),
});

/** A mod is loaded when the server starts. */
const modsAndRestart: Buttons = { Mods: "mods", Restart: "restart" };

const modInstall = gameWrite("mod install", {
  ...mods.addition,
  summary: "Install a mod on a resold game server",
  example: '/reseller game mod install arena-1 body="project=deep-caves version=2.9.1"',
  act: installMod,
  verb: "Install mod on",
  input: z.object({ body: bodyField }),
  send: (client, id, { body }) => installMod(client, id, parseBody(body)),
  done: (server) => `${server} accepted the mod. The server may need a restart to load it.`,
  next: modsAndRestart,
});

const modUpload = gameWrite("mod upload", {
  ...mods.addition,
  summary: "Install a mod of your own on a game server, from a file in Slack",
  example: "/reseller game mod upload arena-1",
  act: uploadMod,
  verb: "Upload mod to",
  input: z.object({
    file: uploadSchema(uploadBytes),
    body: bodyField.optional().meta({
      title: "More values",
      format: "lines",
      description: `Values beside name and content: ${paramsWords}. ${unnamedFields} No secrets: they are shown`,
    }),
  }),
  send: (client, id, { file, body }) =>
    uploadMod(client, id, { name: file.name, content: file.content, ...(body === undefined ? {} : parseBody(body)) }),
  done: (server, { file }) => `${server} accepted ${code(file.name)}. The server may need a restart to load it.`,
  next: modsAndRestart,
});

const modRemove = gameWrite("mod remove", {
  ...mods.removal((name, server) => ({
    consequence: `This will remove the mod ${code(name)} from ${server}. Parts of a world that use the mod may be lost at the next start. To get your own mod back, upload it again.`,
    press: plainly`Remove ${name}`,
    back: "Keep it",
  })),
  summary: "Remove a mod from a resold game server",
  example: '/reseller game mod remove arena-1 mod="Fair Weather"',
  act: removeMod,
  verb: "Remove mod from",
  input: z.object({ mod: idField("Mod") }),
  send: (client, id, { mod }) => removeMod(client, id, mod),
  done: (server) => `A mod was removed from ${server}.`,
  next: modsAndRestart,
});

export const modOperations = [modList, modSearch, modShow, modVersions, modSources, modInstall, modUpload, modRemove];
