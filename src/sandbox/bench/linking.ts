import * as z from "zod";
import { countAction } from "../../requests/actions.ts";
import { inTime, type Slack, type Typed } from "./slack.ts";
import type { World } from "./the-world.ts";

const Form = z.looseObject({
  private_metadata: z.string(),
  callback_id: z.string(),
  blocks: z.array(
    z.looseObject({ block_id: z.string().optional(), element: z.looseObject({ action_id: z.string() }).optional() }),
  ),
});

/** Links a member's key through the form, as a person does. */
export async function link(slack: Slack, world: World, user: string, key: string): Promise<void> {
  const channel = `D${user}`;
  const view = await openForm(slack, world, { command: "/rackbell", text: "link", user, channel });
  const answer = world.answerIn(channel);
  await fillIn(slack, view, user, key);
  const text = await inTime(answer, "A key was not linked");
  if (!text.includes("is linked")) throw new Error(`A key could not be linked: ${text}`);
}

/** Submits a form with this text in its first field. */
async function fillIn(slack: Slack, view: z.infer<typeof Form>, user: string, value: string): Promise<void> {
  const field = view.blocks.find((block) => block.element !== undefined);
  await slack.interact({
    type: "view_submission",
    ...sharedFields(user),
    view: {
      ...view,
      id: `V${user}`,
      type: "modal",
      state: {
        values: {
          [field?.block_id ?? ""]: { [field?.element?.action_id ?? ""]: { type: "plain_text_input", value } },
        },
      },
    },
  });
}

/** Has one act done on many resources: types the command, presses its button, and types their number. */
export async function carryOutBulk(slack: Slack, world: World, typed: Typed, count: number): Promise<void> {
  const { user, channel } = typed;
  const asked = world.messageIn(channel);
  await slack.type(typed);
  const { text, buttons } = await inTime(asked, `${typed.command} had no answer`);
  const button = buttons.find(({ action_id: action }) => action === countAction);
  if (!button) throw new Error(`${typed.command} was answered with: ${text}`);
  const trigger = `${user}.${button.value}`;
  const opened = world.viewFor(trigger);
  await slack.interact({
    type: "block_actions",
    ...sharedFields(user),
    trigger_id: trigger,
    channel: { id: channel },
    container: { channel_id: channel },
    response_url: world.answerUrl(channel),
    actions: [{ type: "button", block_id: "buttons", ...button }],
  });
  await fillIn(slack, Form.parse(await inTime(opened, "No form opened")), user, String(count));
}

/** The Slack id of a member, by number. */
export function numberedMember(number: number): string {
  return `U${String(number).padStart(8, "0")}`;
}

interface Linking {
  count: number;
  atOnce?: number;
  onLinked?: (user: string) => Promise<unknown>;
}

/** Links so many members, each with an own key, and runs `onLinked` with each of them. */
export async function linkMembers(
  slack: Slack,
  world: World,
  { count, atOnce = 25, onLinked = async () => {} }: Linking,
): Promise<void> {
  const left = Array.from({ length: count }, (_, number) => numberedMember(number));
  async function linker(): Promise<void> {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await link(slack, world, next, await world.key());
      await onLinked(next);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, linker));
}

/** Types a command that opens a form, and gives the form. */
export async function openForm(slack: Slack, world: World, typed: Typed): Promise<z.infer<typeof Form>> {
  const trigger = `${typed.user}.${typed.text}`;
  const opened = world.viewFor(trigger);
  await slack.type(typed, trigger);
  return Form.parse(await inTime(opened, "No form opened"));
}

/** Asks for the choices of a form's target field, as a typeahead does. */
export async function suggest(
  slack: Slack,
  view: z.infer<typeof Form>,
  user: string,
  value: string,
): Promise<{ ms: number; found: number }> {
  const { ms, body } = await slack.interact({
    type: "block_suggestion",
    ...sharedFields(user),
    view: { ...view, id: `V${user}`, type: "modal" },
    action_id: "target",
    block_id: "target",
    value,
  });
  return { ms, found: Choices.parse(JSON.parse(body)).options.length };
}

const Choices = z.object({ options: z.array(z.unknown()) });

function sharedFields(user: string) {
  return {
    user: { id: user, username: user, name: user, team_id: "T0BENCH" },
    team: { id: "T0BENCH", domain: "bench" },
    api_app_id: "A0BENCH",
    token: "legacy",
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: "",
  };
}
