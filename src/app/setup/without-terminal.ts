import { setVariables, valueFault } from "../config.ts";
import { findingLines } from "../doctor/diagnose.ts";
import {
  examine,
  findApiRoot,
  newEncryptionKey,
  type SetupOutcome,
  type SetupTools,
  setupVariables,
  startFaults,
  writeProblem,
} from "./setup.ts";

/** An address of the right form, for the checks of all other variables. */
const anyRoot = "https://panel.example.com/api/v1";

/**
 * Sets up without a terminal: takes the variables of the environment, and says which are missing. An existing `.env` stays as it is, since
 * nobody can be asked.
 */
export async function setUpWithoutTerminal(tools: SetupTools, say: (lines: string) => void): Promise<SetupOutcome> {
  const { file, outside } = tools;
  const before = file.read();
  const env: Record<string, string | undefined> = { ...before, ...tools.env };
  const { values: given, filed: inFiles } = setVariables(env);
  const found = given.PLATFORM_URL === undefined ? null : await findApiRoot(given.PLATFORM_URL, outside);
  if (found && "root" in found) env.PLATFORM_URL = found.root;
  if (given.ENCRYPTION_KEY === undefined && !inFiles.has("ENCRYPTION_KEY")) env.ENCRYPTION_KEY = newEncryptionKey();
  const isRoot = valueFault("PLATFORM_URL", given.PLATFORM_URL ?? "") === null;
  // The panel's address is allowed here: the reason why no API was found by it says more than that it is no API's.
  const unfound = found && "problem" in found && !isRoot ? [found.problem] : [];
  const faults = [...unfound, ...startFaults(unfound.length > 0 ? { ...env, PLATFORM_URL: anyRoot } : env)];
  if (faults.length > 0) {
    say("There is no terminal to ask in, so the setup takes the variables from the environment:");
    say(faults.map((fault) => `- ${fault}`).join("\n"));
    return "unfinished";
  }
  const { values, filed } = setVariables(env);
  const changes = Object.fromEntries(
    setupVariables.flatMap((name) => {
      const value = values[name];
      return value === undefined || filed.has(name) || before?.[name] === value ? [] : [[name, value] as const];
    }),
  );
  const names = Object.keys(changes);
  const problem =
    before !== null && names.length > 0
      ? `${file.path} is there, and nobody can be asked if it may change: it lacks these values of ${names.join(", ")}. Run the setup in a terminal, or move the file away.`
      : writeProblem(file, changes);
  if (problem !== null) {
    say(problem);
    return "unfinished";
  }
  say(`${file.path} has the variables, and its user alone can read it.\n`);
  const findings = await examine(tools, env);
  say(findingLines(findings));
  return findings.every(({ fine }) => fine) ? "ready" : "unfinished";
}
