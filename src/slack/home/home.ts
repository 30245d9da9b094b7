// slack/home/: the Home tab: a dashboard from cached data, shown again once newer data are read.
// May import: slack/, operations/, operations/*, engine/, requests/, requests/*, resources/, resources/*, notifications/, notifications/*, access/, operation/, identities/, chat/, views/, the clock.

import { LRUCache } from "lru-cache";
import { admit } from "../../access/access.ts";
import { errorText } from "../../access/error-text.ts";
import { currentAct, guard } from "../../engine/guard.ts";
import type { ActingUser } from "../../identities/identities.ts";
import { viewBlocks } from "../../notifications/answer-view.ts";
import type { Origin } from "../../notifications/origin.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Invocation } from "../../operation/operation.ts";
import type { AppContext } from "../../operations/app-context.ts";
import { homeKinds } from "../../operations/rackbell/home-kinds.ts";
import { readResources } from "../../resources/resources.ts";
import { type Block, divider, header, type Message, section } from "../../views/blocks.ts";
import { inModal } from "../answer-modal.ts";
import { findView } from "../find.ts";
import type { SlackApp } from "../slack-app.ts";
import { gatherHomeData } from "./home-data.ts";
import { homeBlocks } from "./page.ts";

/** Slack allows 100 blocks on the Home tab, so notes and their blocks are limited. */
const mostNotes = 2;
const mostInNote = 8;
/** Milliseconds after which data are read again: when Home is opened, and after a press, which may have changed them. */
const oldWhenOpened = 2 * 60_000;
const oldAfterPress = 5_000;
/** Members whose Home is tracked at a time. */
const mostDrawn = 1_000;

export function createHomeDraws(): SlackApp["homeDraws"] {
  return new LRUCache({ max: mostDrawn });
}

/** Shows the Home tab from known data, reads old data in the background, and shows it again. */
export function showHome(app: SlackApp, owner: ActingUser): Promise<void> {
  return show(app, owner, [], oldWhenOpened);
}

/**
 * For a press on Home, in a modal or on *Details*: opens the modal for its answer, and returns the origin with it. Else returns the origin
 * unchanged.
 */
export async function placeForAnswer(
  { chat }: SlackApp,
  { replace, details }: Invocation,
  origin: Origin,
  trigger: string,
): Promise<Origin> {
  const staysInMessage = !origin.home && origin.view === null && !details;
  return staysInMessage || (replace && origin.view !== null) ? origin : inModal(chat, origin, trigger);
}

/** Opens the search over everything that the member can see. */
export async function openSearch(app: SlackApp, origin: Origin, trigger: string): Promise<void> {
  await guard(app, origin, async () => void (await app.chat.openView(trigger, findView(origin), origin.view)));
}

/** The engine's guard, which here shows the Home tab again, with the answer, after an act on it. */
export async function guardAtHome(app: SlackApp, origin: Origin, work: () => Promise<void>): Promise<boolean> {
  if (!origin.home) return guard(app, origin, work);
  let fine = false;
  const notes = await app.homeNotes.during(origin.member, async () => {
    fine = await guard(app, origin, work);
  });
  await show(app, origin, notes, oldAfterPress).catch((error: unknown) => {
    notShown(app, error);
    currentAct.getStore()?.unanswered();
  });
  return fine;
}

async function show(app: SlackApp, owner: ActingUser, notes: Message[], olderThan: number): Promise<void> {
  const turn = {};
  app.homeDraws.set(owner.member, turn);
  await draw(app, owner, notes, []);
  // In the background: reading a large estate takes long.
  catchUp(app, owner, notes, turn, olderThan).catch((error: unknown) => notShown(app, error));
}

/** Reads old data, and draws again if any was read and no newer draw has begun. */
async function catchUp(
  app: SlackApp,
  owner: ActingUser,
  notes: Message[],
  turn: object,
  olderThan: number,
): Promise<void> {
  const { read, failed } = await readResources(app.context, owner.member, homeKinds, { olderThan });
  if (read === 0 || app.homeDraws.get(owner.member) !== turn) return;
  const unread = failed.map((error) => errorText(error, app.clock.now()).text);
  await draw(app, owner, notes, unread);
}

async function draw(
  { context, chat, clock }: SlackApp,
  owner: ActingUser,
  notes: Message[],
  unread: string[],
): Promise<void> {
  const outside = await outsideWords(context, owner.slackUser);
  const blocks =
    outside === null
      ? homeBlocks(
          await gatherHomeData(context, owner, { now: clock.now(), unread }),
          notes.slice(-mostNotes).flatMap(noteBlocks),
        )
      : [header("Rackbell"), section(outside)];
  await chat.publishHome(owner.slackUser, { type: "home", blocks });
}

function notShown({ log }: SlackApp, error: unknown): void {
  log.warn({ err: error }, "The Home tab could not be shown anew");
}

function noteBlocks(note: Message): Block[] {
  // Drop the block ids: Home has buttons of its own, and ids must be unique.
  const blocks = viewBlocks(note).map(({ block_id: _, ...block }) => block);
  return [...blocks.slice(0, mostInNote), divider()];
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
