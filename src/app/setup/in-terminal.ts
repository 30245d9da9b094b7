import {
  CANCEL_SYMBOL,
  cancel,
  confirm,
  intro,
  log,
  note,
  outro,
  password,
  select,
  spinner,
  text,
} from "@clack/prompts";
import { registry } from "../../operations/index.ts";
import { installPage, newAppPage } from "../../slack/app-pages.ts";
import { manifestOf } from "../../slack/manifest.ts";
import { setVariables, slackApiUrl, valueFault } from "../config.ts";
import type { Finding } from "../doctor/outside.ts";
import { writeLinkPage } from "./link-page.ts";
import { findApiRoot } from "./platform-address.ts";
import {
  examine,
  newEncryptionKey,
  type SetupOutcome,
  type SetupTools,
  type setupVariables,
  writeProblem,
} from "./setup.ts";

type SetupVariable = (typeof setupVariables)[number];

/** Ends the setup early, with a sentence that says why. */
class Stopped extends Error {}

/** The strings that people bring from Slack, with the words for each. */
const strings = {
  SLACK_APP_TOKEN: { label: "app-level token", looks: "it begins with xapp-" },
  SLACK_BOT_TOKEN: { label: "bot token", looks: "it begins with xoxb-" },
  SLACK_SIGNING_SECRET: { label: "signing secret", looks: "it is 32 digits and letters from a to f" },
} as const;
type SlackString = keyof typeof strings;
const slackStrings = ["SLACK_APP_TOKEN", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"] as const;

/**
 * Asks in the terminal for all that cannot be found out, checks each answer, and writes it into `.env` at once: after an interruption the
 * next setup keeps what is valid, and goes on with the rest.
 */
export async function setUpInTerminal(tools: SetupTools): Promise<SetupOutcome> {
  try {
    intro("Set up Rackbell");
    const answers = await openAnswers(tools);
    await settlePlatform(tools, answers);
    await settleSlack(tools, answers);
    settleKey(answers);
    return await finish(tools, answers);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    cancel(error.message);
    return "unfinished";
  }
}

/** The values until now. */
interface Answers {
  /** A value of the file or the environment that is to be kept if it is valid. */
  held(name: SetupVariable): string | undefined;
  /** Keeps a checked value, in the file too. */
  keep(name: SetupVariable, value: string): void;
  /** All variables, as the start will find them. */
  env(): Record<string, string | undefined>;
  /** Variables that the environment has in another value, which would win over the file. */
  shadowed(): string[];
}

async function openAnswers({ env, file }: SetupTools): Promise<Answers> {
  const before = file.read();
  const { values, filed, refused } = setVariables({ ...before, ...env });
  const [fault] = refused.values();
  if (fault !== undefined) throw new Stopped(`${fault} Then run the setup again.`);
  const count = Object.keys(before ?? {}).length;
  const goesOn =
    before === null ||
    (await answered(
      select({
        message: `${file.path} is there, with ${count === 1 ? "one variable" : `${count} variables`}`,
        options: [
          { value: true, label: "Go on with it", hint: "keeps what is valid, and asks for the rest" },
          { value: false, label: "Ask me for everything again", hint: "keeps the encryption key" },
        ],
      }),
    ));
  const kept = new Map<SetupVariable, string>();

  function shadowed(): string[] {
    return [...kept].flatMap(([name, value]) => ((env[name] ?? value).trim() === value ? [] : [name]));
  }

  return {
    held: (name) =>
      kept.get(name) ?? (goesOn || name === "ENCRYPTION_KEY" || name === "SLACK_API_URL" ? values[name] : undefined),
    keep(name, value) {
      if (filed.has(name)) {
        if (value === values[name]) return;
        throw new Stopped(
          `${name} comes from the file that ${name}_FILE names: put the right value there, and run the setup again.`,
        );
      }
      const problem = writeProblem(file, { [name]: value });
      if (problem !== null) throw new Stopped(problem);
      kept.set(name, value);
    },
    env: () => ({ ...file.read(), ...env, ...Object.fromEntries(kept) }),
    shadowed,
  };
}

async function settlePlatform({ outside }: SetupTools, answers: Answers): Promise<void> {
  let given = answers.held("PLATFORM_URL");
  for (;;) {
    given ??= await answered(
      text({
        message: "The address of the hosting platform: of its panel, or of its API",
        placeholder: "https://panel.example.com",
        validate: (typed) =>
          (typed ?? "").trim() === "" ? "Type the address that you open in the browser." : undefined,
      }),
    );
    const found = await checking("Looking for the platform's API", findApiRoot(given, outside));
    if ("root" in found) {
      answers.keep("PLATFORM_URL", found.root);
      return log.success(`The platform ${found.says}.`);
    }
    log.error(found.problem);
    given = undefined;
  }
}

async function settleSlack(tools: SetupTools, answers: Answers): Promise<void> {
  const apiUrl = settleApiUrl(answers);
  const socket = await usesSocketMode(answers);
  if (!socket) await settlePublicUrl(answers);
  const manifest = manifestOf(registry, socket ? null : (answers.held("PUBLIC_URL") ?? null));
  const wanted = socket
    ? (["SLACK_APP_TOKEN", "SLACK_BOT_TOKEN"] as const)
    : (["SLACK_SIGNING_SECRET", "SLACK_BOT_TOKEN"] as const);
  let opened: boolean | null = null;

  /** Before the first string is asked for, its reader needs the page that has it. */
  async function showPages(name: SlackString): Promise<void> {
    if (opened === null) opened = await showNewAppPage(tools, { manifest, apiUrl, socket });
    else if (opened && name === "SLACK_BOT_TOKEN") await tools.openPage(installPage({ apiUrl, ...appToken(answers) }));
  }

  for (const name of wanted) await settleString(name, { tools, answers, apiUrl, showPages });
}

function settleApiUrl(answers: Answers): string {
  const given = answers.held("SLACK_API_URL");
  const fault = given === undefined ? null : valueFault("SLACK_API_URL", given);
  if (fault !== null) throw new Stopped(`${fault} Then run the setup again.`);
  if (given !== undefined) answers.keep("SLACK_API_URL", given);
  return slackApiUrl(given);
}

async function usesSocketMode(answers: Answers): Promise<boolean> {
  if (answers.held("SLACK_APP_TOKEN") !== undefined) return true;
  if (answers.held("SLACK_SIGNING_SECRET") !== undefined) return false;
  const socket = await answered(
    select({
      message: "How do Slack and Rackbell reach each other?",
      options: [
        {
          value: true,
          label: "Rackbell connects to Slack",
          hint: "Socket Mode: nothing needs to be reachable from outside",
        },
        { value: false, label: "Slack posts to Rackbell", hint: "HTTP mode: needs an https address" },
      ],
    }),
  );
  // An app token from before would win over the signing secret.
  if (!socket && answers.env().SLACK_APP_TOKEN) answers.keep("SLACK_APP_TOKEN", "");
  return socket;
}

async function settlePublicUrl(answers: Answers): Promise<void> {
  const fault = (typed: string) =>
    typed.trim().startsWith("https://")
      ? valueFault("PUBLIC_URL", typed)
      : "PUBLIC_URL begins with https://: Slack posts to no other address.";
  const held = answers.held("PUBLIC_URL");
  if (held !== undefined && fault(held) === null) return answers.keep("PUBLIC_URL", held);
  const typed = await answered(
    text({
      message: "The address under which Slack reaches Rackbell",
      placeholder: "https://rackbell.example.com",
      validate: (given) => fault(given ?? "") ?? undefined,
    }),
  );
  answers.keep("PUBLIC_URL", typed.trim());
}

function appToken(answers: Answers): { appToken?: string } {
  const given = answers.held("SLACK_APP_TOKEN");
  return given === undefined ? {} : { appToken: given };
}

/** Shows how to make the app, and opens Slack's page for it. Resolves with true if a browser shows it. */
async function showNewAppPage(
  { folder, openPage }: SetupTools,
  { manifest, apiUrl, socket }: { manifest: unknown; apiUrl: string; socket: boolean },
): Promise<boolean> {
  const url = newAppPage(manifest, apiUrl);
  const first = socket
    ? "Basic Information, App-Level Tokens: generate one with the scope connections:write, and copy it (xapp-…)"
    : "Basic Information, App Credentials: show the Signing Secret, and copy it";
  note(
    [
      "Slack's page has the manifest of Rackbell filled in. Choose the workspace there, and create the app.",
      "Then bring two strings:",
      `1. ${first}.`,
      "2. Install App: install it, and copy the Bot User OAuth Token (xoxb-…).",
    ].join("\n"),
    "Make the Slack app",
  );
  const way = await answered(
    select({
      message: "Slack's page for a new app",
      options: [
        { value: "open", label: "Open it in the browser" },
        { value: "page", label: "Write it as setup-link.html", hint: "for a browser on another machine" },
        { value: "none", label: "I made the app already" },
      ],
    }),
  );
  if (way === "none") return false;
  if (way === "open" && (await openPage(url))) {
    log.success("The browser shows Slack's page.");
    return true;
  }
  const why = way === "open" ? "There is no browser here. " : "";
  log.info(`${why}Open ${writeLinkPage(folder, { url, manifest })} in any browser. Its link makes the app.`);
  return false;
}

async function settleString(
  name: SlackString,
  parts: { tools: SetupTools; answers: Answers; apiUrl: string; showPages(name: SlackString): Promise<void> },
): Promise<void> {
  const { tools, answers, apiUrl, showPages } = parts;
  const { label } = strings[name];
  let value = answers.held(name);
  const fault = value === undefined ? null : stringFault(name, value);
  if (fault !== null) {
    log.error(fault);
    value = undefined;
  }
  for (;;) {
    if (value === undefined) {
      await showPages(name);
      value = await askString(name, installPage({ apiUrl, ...appToken(answers) }));
    }
    const findings = await checking(`Slack checks the ${label}`, check(name, value));
    for (const finding of findings) show(finding);
    if (findings.every(({ fine }) => fine)) return answers.keep(name, value);
    // Slack knew the token: then it is right, and its installation is not.
    const isKnown = findings.some(({ fine }) => fine);
    const again = await answered(
      select({
        message: "And now?",
        options: [
          {
            value: true,
            label: "Check it again",
            hint: isKnown ? "after you reinstalled the app" : "if Slack was not reachable",
          },
          { value: false, label: `Paste another ${label}` },
        ],
        initialValue: isKnown,
      }),
    );
    if (!again) value = undefined;
  }

  async function check(which: SlackString, given: string): Promise<Finding[]> {
    if (which === "SLACK_BOT_TOKEN")
      return tools.outside.checkInstallation({ botToken: given, apiUrl, ...appToken(answers) });
    return [await tools.outside.checkConnection({ apiUrl, ...(which === "SLACK_APP_TOKEN" && { appToken: given }) })];
  }
}

/** Asks for a string without showing it. */
async function askString(name: SlackString, page: string): Promise<string> {
  const { label, looks } = strings[name];
  const place = name === "SLACK_BOT_TOKEN" ? `, from ${page}` : "";
  const pasted = await answered(
    password({
      message: `Paste the ${label}${place} (${looks}; it stays hidden)`,
      clearOnError: true,
      validate: (given) => stringFault(name, given ?? "") ?? undefined,
    }),
  );
  return pasted.trim();
}

/** The fault of a pasted string, which may be the one of another question. */
function stringFault(name: SlackString, given: string): string | null {
  const { label, looks } = strings[name];
  if (given.trim() === "") return `Paste the ${label}: ${looks}.`;
  const other = slackStrings.find((one) => one !== name && valueFault(one, given) === null);
  return other ? `This is the ${strings[other].label}. The ${label} belongs here: ${looks}.` : valueFault(name, given);
}

function settleKey(answers: Answers): void {
  const held = answers.held("ENCRYPTION_KEY");
  if (held !== undefined && valueFault("ENCRYPTION_KEY", held) === null) {
    answers.keep("ENCRYPTION_KEY", held);
    return;
  }
  answers.keep("ENCRYPTION_KEY", newEncryptionKey());
  log.success("Made ENCRYPTION_KEY. Keep a copy where you keep passwords: linked keys cannot be read without it.");
}

async function finish(tools: SetupTools, answers: Answers): Promise<SetupOutcome> {
  const { file, mayStart } = tools;
  log.success(`${file.path} has the variables, and its user alone can read it.`);
  const findings = await checking("The doctor checks everything together", examine(tools, answers.env()));
  for (const finding of findings) show(finding, 0);
  if (!findings.every(({ fine }) => fine)) {
    cancel("Mend what the doctor names, and run the setup again: it keeps what is valid.");
    return "unfinished";
  }
  const shadowed = answers.shadowed();
  if (shadowed.length > 0)
    log.warn(
      `The environment has another ${shadowed.join(", ")}, and it wins over the file. Unset it before you start Rackbell.`,
    );
  const next = "Then invite Rackbell to a channel in Slack (/invite @Rackbell), and type /rackbell link.";
  const starts = mayStart && shadowed.length === 0 && (await answered(confirm({ message: "Start Rackbell now?" })));
  outro(
    starts
      ? `Rackbell starts here; Ctrl-C stops it. ${next}`
      : `${mayStart ? "`npm start` starts it." : "Start it with this file."} ${next}`,
  );
  return starts ? "start" : "ready";
}

/** `spacing`: the empty lines before it. */
function show({ fine, about, says }: Finding, spacing = 1): void {
  const line = `${about}: ${says}`;
  if (fine) log.success(line, { spacing });
  else log.error(line, { spacing });
}

async function answered<T>(asked: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const value = await asked;
  if (value === CANCEL_SYMBOL) throw new Stopped("The setup stopped. Run it again: it goes on here.");
  return value;
}

/** Shows that a check runs. The prompts take the keyboard meanwhile, so that nothing pasted is shown. */
async function checking<T>(says: string, work: Promise<T>): Promise<T> {
  const shown = spinner();
  shown.start(says);
  try {
    return await work;
  } finally {
    shown.clear();
  }
}
