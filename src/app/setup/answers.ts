import { log, select } from "@clack/prompts";
import { setVariables } from "../config.ts";
import type { Finding } from "../doctor/outside.ts";
import { type Keyboard, Stopped } from "./keyboard.ts";
import { type SetupTools, type setupVariables, writeProblem } from "./setup.ts";

type SetupVariable = (typeof setupVariables)[number];

/** The parts of the setup by questions. */
export interface TerminalSetup extends SetupTools {
  keyboard: Keyboard;
  answers: Answers;
}

/** The values until now. */
export interface Answers {
  /** A value of the file or the environment that is to be kept if it is valid. */
  held(name: SetupVariable): string | undefined;
  /** Keeps a checked value, in the file too. */
  keep(name: SetupVariable, value: string): void;
  /** All variables, as the start will find them. */
  env(): Record<string, string | undefined>;
  /** Variables that the environment has in another value, which would win over the file. */
  shadowed(): string[];
}

/** Reads `.env` and the environment; asks first if a file is there. Throws Stopped for a variable that cannot be read. */
export async function openAnswers({ env, file }: SetupTools, keyboard: Keyboard): Promise<Answers> {
  const before = file.read();
  const { values, filed, refused } = setVariables({ ...before, ...env });
  const [fault] = refused.values();
  if (fault !== undefined) throw new Stopped(`${fault} Then run the setup again.`);
  const count = Object.keys(before ?? {}).length;
  const keeps =
    before === null ||
    (await keyboard.ask((input) =>
      select({
        input,
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
      kept.get(name) ?? (keeps || name === "ENCRYPTION_KEY" || name === "SLACK_API_URL" ? values[name] : undefined),
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

/** Shows a line of what happened. `spacing`: the empty lines before it. */
export function show(kind: "success" | "info" | "warn" | "error", text: string, spacing = 1): void {
  log[kind](wrapped(text), { spacing });
}

export function showFinding({ fine, warns, about, says }: Finding, spacing = 1): void {
  const kind = warns ? "warn" : "success";
  show(fine ? kind : "error", `${about}: ${says}`, spacing);
}

/** Breaks a text between words where the terminal is narrow. The prompts do that for questions alone. */
export function wrapped(text: string): string {
  const width = Math.max(40, (process.stdout.columns ?? 80) - 4);
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}
