import { cancel, confirm, intro, outro, text } from "@clack/prompts";
import { valueFault } from "../config.ts";
import { openAnswers, show, showFinding, type TerminalSetup, wrapped } from "./answers.ts";
import { openKeyboard, Stopped } from "./keyboard.ts";
import { examine, findApiRoot, newEncryptionKey, type SetupOutcome, type SetupTools } from "./setup.ts";
import { settleSlack } from "./slack-app.ts";

/**
 * Asks in the terminal for all that cannot be found out, checks each answer, and writes it into `.env` at once: after an interruption the
 * next setup keeps what is valid, and goes on with the rest.
 */
export async function setUpInTerminal(tools: SetupTools): Promise<SetupOutcome> {
  const keyboard = openKeyboard(process);
  try {
    intro("Set up Rackbell");
    const setup = { ...tools, keyboard, answers: await openAnswers(tools, keyboard) };
    await settlePlatform(setup);
    await settleSlack(setup);
    settleKey(setup);
    return await finish(setup);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    cancel(wrapped(error.message));
    return "unfinished";
  } finally {
    keyboard.close();
  }
}

async function settlePlatform({ outside, keyboard, answers }: TerminalSetup): Promise<void> {
  let given = answers.held("PLATFORM_URL");
  for (;;) {
    given ??= await keyboard.ask((input) =>
      text({
        input,
        message: "The address of the hosting platform: of its panel, or of its API",
        placeholder: "https://panel.example.com",
        validate: (typed) =>
          (typed ?? "").trim() === "" ? "Type the address that you open in the browser." : undefined,
      }),
    );
    const found = await keyboard.during("Looking for the platform's API", findApiRoot(given, outside));
    if ("root" in found) {
      answers.keep("PLATFORM_URL", found.root);
      return show("success", `The platform ${found.says}.`);
    }
    show("error", found.problem);
    given = undefined;
  }
}

function settleKey({ answers }: TerminalSetup): void {
  const held = answers.held("ENCRYPTION_KEY");
  if (held !== undefined && valueFault("ENCRYPTION_KEY", held) === null) {
    answers.keep("ENCRYPTION_KEY", held);
    return;
  }
  answers.keep("ENCRYPTION_KEY", newEncryptionKey());
  show("success", "Made ENCRYPTION_KEY. Keep a copy where you keep passwords: linked keys cannot be read without it.");
}

async function finish(setup: TerminalSetup): Promise<SetupOutcome> {
  const { file, mayStart, keyboard, answers } = setup;
  show("success", `${file.path} has the variables, and its user alone can read it.`);
  const findings = await keyboard.during("The doctor checks everything together", examine(setup, answers.env()));
  for (const finding of findings) showFinding(finding, 0);
  if (!findings.every(({ fine }) => fine)) {
    cancel(wrapped("Mend what the doctor names, and run the setup again: it keeps what is valid."));
    return "unfinished";
  }
  const shadowed = answers.shadowed();
  if (shadowed.length > 0)
    show(
      "warn",
      `The environment has another ${shadowed.join(", ")}, and it wins over the file. Unset it before you start Rackbell.`,
    );
  show("info", "Once it runs: invite it to a channel in Slack (/invite @Rackbell), and type /rackbell link.");
  const starts =
    mayStart &&
    shadowed.length === 0 &&
    (await keyboard.ask((input) => confirm({ input, message: "Start Rackbell now?" })));
  const later = mayStart ? "`npm start` starts it." : "Start it with this file.";
  outro(starts ? "Rackbell starts here; Ctrl-C stops it." : later);
  return starts ? "start" : "ready";
}
