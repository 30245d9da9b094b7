// slack/home/: the Home tab: a dashboard from cached data, shown again once newer data are read.

import { admit } from "../../members/access/access.ts";
import type { ActingUser } from "../../members/identities/identities.ts";
import { type KindList, knownResources, readResources } from "../../members/resources/resources.ts";
import { viewBlocks } from "../../messages/answer-view.ts";
import { errorText } from "../../messages/answers/error-text.ts";
import { Refusal } from "../../operation/errors.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { homeKinds } from "../../operations/rackbell/home-kinds.ts";
import { type Block, divider, header, type Message, section } from "../../views/blocks.ts";
import { fitted } from "../../views/fit.ts";
import { limits } from "../../views/limits.ts";
import type { SlackApp } from "../slack-app.ts";
import { gatherHomeData, type HomeData } from "./home-data.ts";
import { beginHomeDraw, type HomeDraw } from "./home-draws.ts";
import { homeBlocks } from "./page.ts";

/** Slack allows 100 blocks on the Home tab, so the blocks of a note are limited. */
const mostInNote = 8;
/** Milliseconds after which data are read again: when Home is opened, and after a press, which may have changed them. */
const oldWhenOpened = 2 * 60_000;
const oldAfterPress = 5_000;

/** Shows the Home tab from known data, reads old data in the background, and shows it again. */
export function showHome(app: SlackApp, owner: ActingUser): Promise<void> {
  return show(app, owner, [], oldWhenOpened);
}

/** Shows the Home tab with the messages for the member, after a press on it. */
export function showHomeWith(app: SlackApp, owner: ActingUser, notes: Message[]): Promise<void> {
  return show(app, owner, notes, oldAfterPress);
}

async function show(app: SlackApp, owner: ActingUser, notes: Message[], olderThan: number): Promise<void> {
  const turn = await beginHomeDraw(app.context, owner.member, { notes, since: app.clock.now() - olderThan });
  const drawn = await draw(app, owner, turn, { unread: [], refused: [] });
  if (!drawn) return;
  // In the background: reading a large estate takes long.
  catchUp(app, owner, turn, drawn).catch((error: unknown) => homeNotShown(app, error));
}

/** Reads old data, and draws again if there are newer ones than those that were drawn. */
async function catchUp(app: SlackApp, owner: ActingUser, turn: HomeDraw, drawn: readonly KindList[]): Promise<void> {
  const olderThan = app.clock.now() - turn.since;
  const { read, failed, refused } = await readResources(app.context, owner.member, homeKinds, { olderThan });
  // An overtaken draw may have read them while this one drew: then they are too young to be read again, and nobody has drawn them.
  const known = await knownResources(app.context, owner.member, homeKinds);
  const isDrawn = (part: KindList) =>
    drawn.some(({ api, noun, at }) => api === part.api && noun === part.noun && at === part.at);
  if ((read === 0 && known.every(isDrawn)) || (await turn.isOvertaken())) return;
  const unread = failed.map((error) => errorText(error, app.clock.now()).text);
  await draw(app, owner, turn, { unread, refused });
}

/** Resolves with the lists of resources that it drew; null for a user who is not admitted. */
async function draw(
  { context, chat, clock }: SlackApp,
  owner: ActingUser,
  turn: HomeDraw,
  gaps: Pick<HomeData, "unread" | "refused">,
): Promise<KindList[] | null> {
  const publish = (blocks: Block[]) =>
    turn.publish((before) => chat.publishHome(owner.slackUser, { type: "home", blocks }, before));
  const outside = await outsideWords(context, owner.slackUser);
  if (outside !== null) {
    await publish([header("Rackbell"), section(outside)]);
    return null;
  }
  const data = await gatherHomeData(context, owner, { now: clock.now(), ...gaps });
  await publish(homeBlocks(data, turn.notes.flatMap(noteBlocks)));
  return data.parts;
}

/** Logs it: the member sees the Home tab as it was. */
export function homeNotShown({ log }: SlackApp, error: unknown): void {
  log.warn({ err: error }, "The Home tab could not be shown anew");
}

function noteBlocks(note: Message): Block[] {
  // Drop the block ids: Home has buttons of its own, and ids must be unique.
  const { blocks } = fitted({ ...note, blocks: viewBlocks(note) }, { ...limits.view, blocks: mostInNote });
  return [...blocks.map(({ block_id: _, ...block }) => block), divider()];
}

/** The refusal that replaces everything for a user who is not admitted; else null. */
async function outsideWords(context: AppContext, user: string): Promise<string | null> {
  try {
    await admit(context, user);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : null;
  }
}
