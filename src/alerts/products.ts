import * as z from "zod";
import { takeTurn } from "../access/background-rate.ts";
import { isPermanentRefusal } from "../platform/http/errors.ts";
import type { ResellerClient } from "../platform/reseller/client.ts";
import { readOrder } from "../platform/reseller/orders.ts";
import { readService } from "../platform/reseller/services.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { type EventFacts, type LoggedEvent, partOf } from "./events.ts";

/** Gives the client of the monitoring key and the key's id; null where none is set. */
export type MonitoringKey = () => Promise<{ client: ResellerClient; keyId: string } | null>;

/** The pause after a read without an answer: alerts must not wait for a platform that is down. */
const pauseMs = 5 * 60_000;

const StoredProduct = z.object({ product: z.string() });

/** The names of an event's products: empty where it is about something without a product, null where they are unknown. */
export type ProductNames = string[] | null;

/** Finds the product of an order or a service by reading: no webhook names it (reseller spec section 6). */
export interface Products {
  /** Stores the product of an order or a service, by its platform id; does nothing without a product. */
  note(id: string, product: string | null | undefined): Promise<void>;
  /** The stored products, without a read. */
  of(event: LoggedEvent): Promise<ProductNames>;
  /** The stored products. If there are none, reads once with the reseller monitoring key, where its rate limit allows. */
  find(event: LoggedEvent): Promise<ProductNames>;
}

const productKind = defineKind({
  name: "product of a service",
  namespace: "alert-products",
  schema: StoredProduct,
  version: 1,
});

export function createProducts({ store, clock, log }: Foundation, monitoringKey: MonitoringKey): Products {
  const records = store.keyv(productKind);
  let notBefore = 0;

  async function note(id: string, product: string | null | undefined): Promise<void> {
    if (product && (await records.get(id))?.product !== product) await records.set(id, { product });
  }

  async function namesOf(ids: (string | null | undefined)[]): Promise<string[]> {
    const known = await Promise.all(ids.map((id) => (id ? records.get(id) : undefined)));
    return [...new Set(known.flatMap((one) => one?.product ?? []))];
  }

  async function of(event: LoggedEvent): Promise<ProductNames> {
    const { orderId, serviceId, services, documentId, imageId } = event.data;
    if (documentId || imageId || !(orderId || serviceId || services?.length)) return [];
    const ofOrder = partOf(event) === "order";
    // The service's own product comes before that of its order: it may have been changed since.
    const own = await namesOf(ofOrder ? [orderId] : [serviceId]);
    if (own.length > 0) return own;
    const others = await namesOf(ofOrder ? (services ?? []).map((one) => one.serviceId) : [orderId]);
    return others.length > 0 ? others : null;
  }

  async function look(event: LoggedEvent): Promise<void> {
    const reading = event.source === "found" || clock.now() < notBefore ? null : await monitoringKey();
    if (!reading) return;
    const { client, keyId } = reading;
    if ((await takeTurn(store.paces, "background", keyId, client.budget())) > 0) return;
    try {
      await readProduct(client, event.data, note);
    } catch (error) {
      if (!isPermanentRefusal(error)) notBefore = clock.now() + pauseMs;
      log.warn({ err: error, event: event.id }, "The product of an event could not be read");
    }
  }

  return {
    note,
    of,
    async find(event) {
      const known = await of(event);
      if (known !== null) return known;
      await look(event);
      return of(event);
    },
  };
}

async function readProduct(
  client: ResellerClient,
  { orderId, serviceId }: EventFacts,
  note: Products["note"],
): Promise<void> {
  if (serviceId) return note(serviceId, (await readService(client, serviceId)).productName);
  if (orderId) await note(orderId, (await readOrder(client, orderId)).product_name);
}
