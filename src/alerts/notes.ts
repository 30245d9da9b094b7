import * as z from "#zod";
import type { Outbox } from "../messages/outbox.ts";
import { PlainText } from "../process/plain-text.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { alertSlot, alertSubject, readAlert } from "./alert.ts";

// Notes that members write in an alert's thread: a brief of the alert has them.

const month = 30 * 24 * 60 * 60_000;
/** In characters. */
export const longestNote = 1_000;
/** More would hide in a brief what happened. */
const mostNotes = 50;

const AlertNote = z.object({ by: z.string(), at: z.number(), text: PlainText });
export type AlertNote = z.infer<typeof AlertNote>;

const notesKind = defineKind({
  name: "notes of an alert",
  namespace: "alert-notes",
  schema: z.object({ notes: z.array(AlertNote) }),
  ttlMs: month,
});

/** The alert of a message in Slack, by its channel and timestamp: a thread names its first message alone. */
const placesKind = defineKind({
  name: "place of an alert",
  namespace: "alert-places",
  schema: z.object({ alert: z.string() }),
  ttlMs: month,
});

/** Stores the place of the alert's message, once it has one. */
export async function notePlace(app: StoreApp & { outbox: Pick<Outbox, "placeOf"> }, id: string): Promise<void> {
  const place = await app.outbox.placeOf(alertSubject, id, alertSlot);
  if (!place) return;
  await update(app.store, placesKind, placeKey(place.channel, place.ts), (before) =>
    before ? undefined : { alert: id },
  );
}

function placeKey(channel: string, ts: string): string {
  return `${channel}:${ts}`;
}

/** The id of the alert under whose message a thread is; null for any other thread. */
export async function alertOfThread({ store }: StoreApp, channel: string, thread: string): Promise<string | null> {
  return (await store.keyv(placesKind).get(placeKey(channel, thread)))?.alert ?? null;
}

export async function readNotes({ store }: StoreApp, id: string): Promise<AlertNote[]> {
  return (await store.keyv(notesKind).get(id))?.notes ?? [];
}

/** Adds a note. Resolves with why it was not added, as a sentence; null if it was. */
export async function addNote(app: TimedApp, id: string, note: Omit<AlertNote, "at">): Promise<string | null> {
  if (!(await readAlert(app, id))) return "That alert is no longer known. Nothing was noted.";
  let isFull = false;
  await update(app.store, notesKind, id, (before) => {
    const notes = before?.notes ?? [];
    isFull = notes.length >= mostNotes;
    return isFull ? undefined : { notes: [...notes, { ...note, at: app.clock.now() }] };
  });
  return isFull ? `This alert has ${mostNotes} notes, and no room for more. Nothing was noted.` : null;
}
