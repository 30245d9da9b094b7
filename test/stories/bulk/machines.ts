import { expect } from "vitest";
import { type Actor, type Message, type Story, writes } from "../story.ts";

/** The platform asks to wait for 15 minutes. */
export const cooling = {
  status: 429,
  headers: { "retry-after": "900" },
  body: { success: false, code: "ACTION_RATE_LIMITED", error: "Too many", retry_after_seconds: 900 },
};

/** The platform refuses what would succeed a moment later. */
export const refused = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is being built" } };

/** The paths of the writes that the platform was sent. */
export function writtenPaths(story: Story): string[] {
  return writes(story).map(({ path }) => path);
}

/** The paths of an act on these machines. */
export function pathsOf({ platform }: Story, act: string, ...names: string[]): string[] {
  return names.map((name) => `/vps/${platform.findVps(name).id}/${act}`);
}

/** Types the number that a request for many asks for. */
export async function typeNumber(story: Story, actor: Actor, request: Message, press: string, typed: string) {
  await actor.press(request, press);
  await story.modal(actor, "How many?");
  expect(JSON.stringify(actor.modal()), "the last button names the act").toMatch(/"submit":\{[^}]*"text":"Yes, \w/);
  const label = JSON.stringify(actor.modal()).match(/"(Type [\d]+ to [^"]*)"/)?.[1] ?? "";
  await actor.fill({ [label]: typed });
  return actor.submit();
}
