import * as z from "zod";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Dedicated, listDedicated } from "../../platform/customer/dedicated.ts";
import { type CustomImage, listCustomImages } from "../../platform/customer/images.ts";
import { listServices, type Service } from "../../platform/customer/services.ts";
import { listVps, type Vps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { Values } from "../../storage/store.ts";
import type { EventName } from "../cards/events.ts";
import type { Products } from "../cards/products.ts";
import { documentReader } from "./documents.ts";
import { type Estate, machineFigures } from "./estate.ts";
import type { Limits } from "./limits.ts";
import { orderReader } from "./orders.ts";
import { paces, pageReader, type Reader } from "./reader.ts";
import { billingSighting, dueSighting, machineSighting, type SeenService } from "./services.ts";
import type { Round, Sightings } from "./sightings.ts";

const rowsPerPage = 200;

/** Everything that is read of one's own account, the most urgent first. */
export function customerReaders(deps: {
  sightings: Sightings;
  products: Pick<Products, "note">;
  memory: Values;
  limits: () => Promise<Limits>;
  now: () => number;
  balance: Reader<"customer">;
  estate: Pick<Estate, "see">;
}): Reader<"customer">[] {
  const { sightings, products, limits, now, balance, estate } = deps;

  async function seeServices(rows: Service[], round: Round): Promise<void> {
    const near = await limits();
    await Promise.all(
      rows.map(async (row) => {
        const service = serviceOf(row);
        await products.note(row.id, productOf(row));
        // When a VPS is due, and whether it is to end then, its own list tells.
        const due = row.serviceType === "vps" ? [] : dueSighting(service, near, now());
        await sightings.see(`service:${service.id}`, [...billingSighting(service, false), ...due], round);
      }),
    );
  }

  const withStatus = (status: "suspended" | "provisioning_failed") =>
    pageReader<"customer", Service>({
      name: `services that are ${status}`,
      every: paces.urgent,
      page: (client, page) => listServices(client, { page, limit: rowsPerPage, status }),
      see: seeServices,
    });

  return [
    withStatus("suspended"),
    withStatus("provisioning_failed"),
    documentReader("invoice", deps),
    documentReader("proforma", deps),
    balance,
    orderReader(deps),
    imageReader(sightings),
    pageReader<"customer", Vps>({
      name: "machines",
      every: paces.urgent,
      whole: true,
      page: (client, page) => listVps(client, { page, limit: rowsPerPage }),
      async see(rows, round, at) {
        const near = await limits();
        await Promise.all(
          rows.map(async (row) => {
            await products.note(row.id, row.product.name);
            await seeVps(sightings, row, near, now(), round);
          }),
        );
        await estate.see("machines", machineFigures(rows, now()), { ...at, key: round.key });
      },
    }),
    pageReader<"customer", Dedicated>({
      name: "dedicated servers",
      every: paces.seldom,
      whole: true,
      page: pageOfDedicated,
      see: (rows, { key }, at) => estate.see("dedicated servers", machineFigures(rows, now()), { ...at, key }),
    }),
    pageReader<"customer", Service>({
      name: "services",
      every: paces.seldom,
      whole: true,
      page: (client, page) => listServices(client, { page, limit: rowsPerPage }),
      see: seeServices,
    }),
  ];
}

/** A platform without them has none. Spec section 4.4. */
async function pageOfDedicated(client: CustomerClient, page: number) {
  try {
    return await listDedicated(client, { page, limit: rowsPerPage });
  } catch (error) {
    if (!(error instanceof PlatformRefused && error.code === "FEATURE_DISABLED")) throw error;
    return { rows: [], pagination: { pages: 0 } };
  }
}

async function seeVps(sightings: Sightings, row: Vps, limits: Limits, now: number, round: Round): Promise<void> {
  const { id, name, hostname, status, billing, cancellation, failure, instance } = row;
  const dueAt = billing.cycle === "hourly" || cancellation ? null : billing.next_due_date;
  const service: SeenService = {
    ...{ id, name, hostname, kind: "vps", status, dueAt, source: "found" },
    failure: failure?.message ?? null,
  };
  const sides = [
    ...billingSighting(service, false),
    ...machineSighting(service, instance?.state ?? null),
    ...dueSighting(service, limits, now),
  ];
  await sightings.see(`service:${id}`, sides, round);
}

function serviceOf(row: Service): SeenService {
  const { id, name = null, hostname = null, serviceType, status } = row;
  // The contract does not name the date of a row.
  const due = Object.entries(row).find(([key, value]) => /due/i.test(key) && typeof value === "string")?.[1];
  const dueAt = typeof due === "string" && !Number.isNaN(Date.parse(due)) ? due : null;
  return { id, name, hostname, kind: serviceType, status, dueAt, source: "found" };
}

/** The contract does not name it in a row: by either of its usual names, or unknown. */
function productOf({ productName, product_name: name, product }: Service): string | null {
  const named = z.object({ name: z.string() }).safeParse(product).data?.name;
  return z.string().safeParse(productName ?? name ?? named).data ?? null;
}

/** An image that was being made, and is ready or has failed. */
function imageReader(sightings: Sightings): Reader<"customer"> {
  return {
    name: "images",
    every: paces.usual,
    async step(client, _cursor, round) {
      for (const image of await listCustomImages(client)) await seeImage(sightings, image, round);
      return null;
    },
  };
}

const imageEvents: Partial<Record<CustomImage["status"], EventName>> = {
  available: "image.ready",
  error: "image.failed",
};

async function seeImage(
  sightings: Sightings,
  { id, name, status, source_kind, error }: CustomImage,
  round: Round,
): Promise<void> {
  const sighting = {
    side: "image",
    state: status,
    news(before: string | null) {
      const event = imageEvents[status];
      // One that is served from elsewhere has not been made here.
      if (!event || (before === null && source_kind === "external")) return null;
      const data = { imageId: id, name, status, reason: error ?? null };
      // A copy is taken before what destroys, too.
      return { event, source: "found" as const, by: /./, whenever: true, data };
    },
  };
  await sightings.see(`image:${id}`, [sighting], round);
}
