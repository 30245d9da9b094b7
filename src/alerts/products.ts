import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { takeTurn } from "../members/access/background-rate.ts";
import type { SupplierConnection } from "../members/identities/connection.ts";
import { isPermanentRefusal } from "../platform/http/errors.ts";
import type { ResellerClient } from "../platform/reseller/client.ts";
import { readOrder } from "../platform/reseller/orders.ts";
import { readService, type Service } from "../platform/reseller/services.ts";
import type { LoggedApp, StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { aspectOf, type EventFacts, type LoggedEvent } from "./events.ts";

// The products of orders and services, their locations, and which key shows a renewal. They are stored where a read shows them: no webhook
// names them (reseller spec section 6).

/** The pause after a read without an answer: alerts must not wait for a platform that is down. */
const pauseMs = 5 * 60_000;

/** The names of an event's products: empty where it is about something without a product, null where they are unknown. */
export type ProductNames = string[] | null;

interface ProductsApp extends LoggedApp {
  connection: Pick<SupplierConnection, "reader">;
  productReads: { notBefore: number };
}

const factsKind = defineKind({
  name: "product of a service",
  namespace: "alert-products",
  schema: z.object({
    product: z.string().nullable(),
    /** The location as the platform's row has it; null where none was read. */
    location: z.string().nullable(),
    /** The id of the customer monitoring key whose list shows when it renews, or that it does not; null where none does. */
    renewalKey: z.string().nullable().default(null),
    /** When it was last stored, in milliseconds since the epoch. */
    at: z.number(),
  }),
  ttlMs: 365 * 24 * 60 * 60_000,
});

const nothing = { product: null, location: null, renewalKey: null };

/** A product that polling still shows is stored again this often, and not in each round. */
const renewedAfterMs = 30 * 24 * 60 * 60_000;

/** Stores what a read shows of an order or a service, by its platform id. Absent: that read does not show it. */
export async function noteFacts(
  { store, clock }: TimedApp,
  id: string,
  read: {
    product?: string | null | undefined;
    location?: string | null | undefined;
    renewalKey?: string | undefined;
  },
): Promise<void> {
  const at = clock.now();
  await update(store, factsKind, id, (before) => {
    const { at: storedAt, ...known } = before ?? { ...nothing, at };
    const facts = {
      product: read.product || known.product,
      location: (read.location === undefined ? known.location : read.location) || null,
      renewalKey: read.renewalKey ?? known.renewalKey,
    };
    return isDeepStrictEqual(facts, known) && at - storedAt <= renewedAfterMs ? undefined : { ...facts, at };
  });
}

/** The same of a resold service: only its own page has the location. */
export function noteService(app: TimedApp, { serviceId, productName, serverLocation }: Service): Promise<void> {
  return noteFacts(app, serviceId, { product: productName, location: serverLocation });
}

/** The id of the customer monitoring key that shows when the service renews, or that it does not; null where none does. Makes no call. */
export async function renewalKeyOf({ store }: StoreApp, id: string): Promise<string | null> {
  return (await store.keyv(factsKind).get(id))?.renewalKey ?? null;
}

/** The stored location of an event's service, as the platform's row has it; null where none is stored. Makes no call. */
export async function storedLocation({ store }: StoreApp, { data }: LoggedEvent): Promise<string | null> {
  const { serviceId } = data;
  return (serviceId && (await store.keyv(factsKind).get(serviceId))?.location) || null;
}

/** The stored products, without a read. */
export async function storedProducts({ store }: StoreApp, event: LoggedEvent): Promise<ProductNames> {
  const { orderId, serviceId, services, documentId, imageId } = event.data;
  if (documentId || imageId || !(orderId || serviceId || services?.length)) return [];
  const namesOf = async (ids: (string | null | undefined)[]) => {
    const known = await Promise.all(ids.map((id) => (id ? store.keyv(factsKind).get(id) : undefined)));
    return [...new Set(known.flatMap((one) => one?.product ?? []))];
  };
  const ofOrder = aspectOf(event) === "order";
  // The service's own product comes before that of its order: it may have been changed since.
  const own = await namesOf(ofOrder ? [orderId] : [serviceId]);
  if (own.length > 0) return own;
  const others = await namesOf(ofOrder ? (services ?? []).map((one) => one.serviceId) : [orderId]);
  return others.length > 0 ? others : null;
}

/** The stored products. If there are none, reads once with the reseller monitoring key, where its rate limit allows. */
export async function findProducts(app: ProductsApp, event: LoggedEvent): Promise<ProductNames> {
  const known = await storedProducts(app, event);
  if (known !== null) return known;
  await look(app, event);
  return storedProducts(app, event);
}

async function look(app: ProductsApp, event: LoggedEvent): Promise<void> {
  const { store, clock, log, connection, productReads } = app;
  if (event.source === "polling" || clock.monotonic() < productReads.notBefore) return;
  const reading = await connection.reader("reseller");
  if (!reading) return;
  const { client, keyId } = reading;
  if ((await takeTurn(store.paces, "background", keyId, client.budget())) > 0) return;
  try {
    await readProduct(app, client, event.data);
  } catch (error) {
    if (!isPermanentRefusal(error)) productReads.notBefore = clock.monotonic() + pauseMs;
    log.warn({ err: error, event: event.id }, "The product of an event could not be read");
  }
}

async function readProduct(app: TimedApp, client: ResellerClient, { orderId, serviceId }: EventFacts): Promise<void> {
  if (serviceId) await noteService(app, await readService(client, serviceId));
  else if (orderId) await noteFacts(app, orderId, { product: (await readOrder(client, orderId)).product_name });
}
