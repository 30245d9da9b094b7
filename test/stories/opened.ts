import { type Actor, said } from "../../src/sandbox/slack/server.ts";

// Without vitest, since the torture runs outside of it as well.

/**
 * Waits for a form that holds all the texts. Slack lets one open for three seconds: a busy machine is offered a button in its place, which
 * is pressed then.
 */
export async function opened(
  actor: Actor,
  texts: (string | RegExp)[],
  until: (look: () => boolean) => Promise<unknown>,
): Promise<void> {
  const latest = Date.now() + 3_000;
  const isOpen = () => {
    const view = actor.modal();
    return view !== undefined && texts.every((text) => holds(JSON.stringify(view), text));
  };
  const offer = () => actor.sees().findLast((message) => said(message).includes("Press to open it"));
  await until(() => isOpen() || (Date.now() > latest && offer() !== undefined));
  const late = offer();
  if (isOpen() || late === undefined) return;
  await actor.press(late, { index: 0 });
  await until(isOpen);
}

/** A wanted text that begins with a number is not found inside "12 done" or "0 of 2 done": the message is not there yet. */
export function holds(text: string, wanted: string | RegExp): boolean {
  if (typeof wanted !== "string") return wanted.test(text);
  if (!/^\d/.test(wanted)) return text.includes(wanted);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (!/(\d|\d of )$/.test(text.slice(0, at))) return true;
  return false;
}
