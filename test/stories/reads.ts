import { operations } from "../../src/operations/index.ts";
import { partsOf } from "../examples.ts";
import { type Message, type Story, said } from "./story.ts";

/** Types each read of the two APIs, and hands on its answer. `idOf`: how its target is typed; by its name if absent. */
export async function readEach(
  { ana, slack }: Pick<Story, "ana" | "slack">,
  look: (command: string, answer: Message) => void,
  idOf = (name: string) => (name.includes(" ") ? `"${name}"` : name),
): Promise<void> {
  for (const { command, api, risk, target: kind } of operations) {
    if (api === "app" || risk !== "read") continue;
    const { target, values } = partsOf(command);
    const before = new Set(ana.sees().map((message) => `${message.ts} ${said(message)}`));
    // A list comes whole.
    await ana.type([`/${command}`, ...(kind ? [idOf(target), values] : [])].join(" ").trim());
    const isNew = (message: Message) => !before.has(`${message.ts} ${said(message)}`);
    look(command, await slack.until(() => ana.sees().findLast(isNew), `an answer to /${command} ${target}`));
  }
}
