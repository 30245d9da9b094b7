// slack/home/: the Home tab: a dashboard that is drawn from what is known, and drawn again once more is.
// May import: slack/, slack/*, engine/, engine/*, operation/, operations/*, views/, chat/, identities/, platform/, platform/*, storage/, the clock.

import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Chat } from "../../chat/chat.ts";
import type { Clock } from "../../clock.ts";
import { viewBlocks } from "../../engine/answers/answer-view.ts";
import { errorText } from "../../engine/answers/error-text.ts";
import type { HomeNotes } from "../../engine/answers/home-notes.ts";
import type { Origin } from "../../engine/answers/origin.ts";
import type { AppContext } from "../../engine/app-context.ts";
import type { Guard } from "../../engine/guard.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Invocation } from "../../operation/operation.ts";
import { type Block, divider, header, type Message, section } from "../../views/blocks.ts";
import { inModal } from "../answer-modal.ts";
import { findView } from "../find.ts";
import { gatherDay } from "./day.ts";
import { homeKinds } from "./estate.ts";
import { homeBlocks } from "./page.ts";

/** A Home tab holds 100 blocks; what is said in it is a line or two, with its buttons. */
const mostNotes = 2;
const mostInNote = 8;
/** What is older than this, in milliseconds, is read anew when Home is opened; and after a press, which may have changed it. */
const oldWhenOpened = 2 * 60_000;
const oldAfterPress = 5_000;
/** Members whose Home is being drawn. */
const mostDrawn = 1_000;

interface Who {
  member: string;
  user: string;
}

/** The Home tab as it is shown, and shown anew once something was done in it. `notes` say what came of that. */
export interface Home {
  /** Draws it from what is known; what is old is read behind, and Home drawn again then. */
  show(who: Who): Promise<void>;
  /** The origin with the modal, opened at once, in which what is pressed on Home or in a modal is answered; any other as it is. */
  answering(invocation: Invocation, origin: Origin, trigger: string): Promise<Origin>;
  /** Opens the search over everything that the member can see. */
  search(origin: Origin, trigger: string): Promise<void>;
  /** The guard of what people do, which shows the Home tab anew after what was pressed in it. */
  guard: Guard;
}

export function createHome(deps: {
  context: AppContext;
  guard: Guard;
  homeNotes: HomeNotes;
  chat: Chat;
  clock: Clock;
  log: Logger;
}): Home {
  const { context, guard, homeNotes, chat, clock, log } = deps;
  /** The newest showing of each member's Home: an older one must not take its place. */
  const newest = new LRUCache<string, object>({ max: mostDrawn });

  async function draw({ member, user }: Who, notes: Message[], unread: string[]): Promise<void> {
    const outside = await outsideWords(context, user);
    const blocks =
      outside === null
        ? homeBlocks(
            await gatherDay(context, member, { now: clock.now(), unread }),
            notes.slice(-mostNotes).flatMap(noteBlocks),
          )
        : [header("Rackbell"), section(outside)];
    await chat.publishHome(user, { type: "home", blocks });
  }

  /** Reads what is old, and draws once more if that was anything, unless a newer showing does. */
  async function catchUp(who: Who, notes: Message[], turn: object, olderThan: number): Promise<void> {
    const { read, failed } = await context.things.read(who.member, homeKinds, { olderThan });
    if (read === 0 || newest.get(who.member) !== turn) return;
    const unread = failed.map((error) => errorText(error, clock.now()).text);
    await draw(who, notes, unread);
  }

  function notShown(error: unknown): void {
    log.warn({ err: error }, "The Home tab could not be shown anew");
  }

  async function show(who: Who, notes: Message[], olderThan: number): Promise<void> {
    const turn = {};
    newest.set(who.member, turn);
    await draw(who, notes, []);
    // Nobody waits for it: a large estate takes its time.
    catchUp(who, notes, turn, olderThan).catch(notShown);
  }

  async function answering({ replace }: Invocation, origin: Origin, trigger: string): Promise<Origin> {
    const isInMessage = !origin.home && origin.view === null;
    return isInMessage || (replace && origin.view !== null) ? origin : inModal(chat, origin, trigger);
  }

  return {
    show: (who) => show(who, [], oldWhenOpened),
    answering,
    async search(origin, trigger) {
      await guard(origin, async () => void (await chat.openView(trigger, findView(origin), origin.view)));
    },
    async guard(origin, work, waysOn) {
      if (!origin.home) return guard(origin, work, waysOn);
      let fine = false;
      const notes = await homeNotes.during(origin.member, async () => {
        fine = await guard(origin, work, waysOn);
      });
      await show({ member: origin.member, user: origin.slackUser }, notes, oldAfterPress).catch(notShown);
      return fine;
    },
  };
}

function noteBlocks(note: Message): Block[] {
  // Home has rows of buttons of its own, and no two may be called the same.
  const blocks = viewBlocks(note).map(({ block_id: _, ...block }) => block);
  return [...blocks.slice(0, mostInNote), divider()];
}

/** What stands instead of all else for whom Rackbell does nothing. */
async function outsideWords({ access }: AppContext, user: string): Promise<string | null> {
  try {
    await access.admit(user);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : null;
  }
}
