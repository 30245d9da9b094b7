import * as z from "#zod";
import { addToEstate, machineFigures } from "../../members/resources/estate.ts";
import { type AlertLimits, readSettings } from "../../members/settings/settings.ts";
import { listLocations } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Dedicated, listDedicated } from "../../platform/customer/dedicated.ts";
import { dueOf } from "../../platform/customer/documents.ts";
import { type CustomImage, listCustomImages, readCustomImage } from "../../platform/customer/images.ts";
import { listServices, readService, type Service } from "../../platform/customer/services.ts";
import { listVps, readVps, type Vps } from "../../platform/customer/vps.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { largestPage } from "../../platform/http/pages.ts";
import { ownValue } from "../../process/own-value.ts";
import { characters } from "../../process/plain-text.ts";
import { type EventName, reportedState } from "../events.ts";
import { noteLocationNames } from "../locations.ts";
import { noteFacts } from "../products.ts";
import { documentReader } from "./documents.ts";
import { openResources } from "./gone.ts";
import { observe } from "./observations.ts";
import { orderReader } from "./orders.ts";
import { intervals, type PollingRound, pageReader, type Reader, type ReadersApp, urgentServices } from "./reader.ts";
import {
  billingObservations,
  dueObservations,
  machineObservations,
  type ObservedService,
} from "./service-observations.ts";

/** The readers of the own account, the most urgent first. */
export function customerReaders(app: ReadersApp, balance: Reader<"customer">): Reader<"customer">[] {
  const { clock } = app;

  async function seeServices(rows: Service[], round: PollingRound): Promise<void> {
    const limits = await readSettings(app);
    // One after the other: the log has the events of a page in the platform's order.
    for (const row of rows) {
      const service = serviceOf(row);
      // The list of VPSes observes their renewals: this list does not show whether one is cancelled.
      const due = row.serviceType === "vps" ? [] : dueObservations(service, limits, clock.now());
      const renewalKey = row.serviceType === "vps" || service.dueAt === null ? undefined : round.key;
      await noteFacts(app, row.id, { product: productOf(row), renewalKey });
      await observe(app, `service:${service.id}`, [...billingObservations(service, "billing"), ...due], round);
    }
  }

  const ofService = { kind: "service", aspects: ["billing", "power", "due"] } as const;
  const openServices = openResources<"customer", Service>(app, {
    ...ofService,
    idOf: ({ id }) => id,
    judges: ({ source, data }) => source === "polling" && !data.imageId && data.kind !== "vps",
    read: async (client, id) => (await readService(client, id)).service,
    see: (row, round) => seeServices([row], round),
  });
  const openMachines = openResources<"customer", Vps>(app, {
    ...ofService,
    idOf: ({ id }) => id,
    judges: ({ source, data }) => source === "polling" && data.kind === "vps",
    read: (client, id) => readVps(client, id),
    see: async (row, round) => seeVps(app, row, await readSettings(app), clock.now(), round),
  });

  const services = (status?: keyof typeof urgentServices) =>
    pageReader<"customer", Service>({
      name: status ? urgentServices[status] : "services",
      every: status ? intervals.urgent : intervals.seldom,
      whole: status === undefined,
      page: (client, page) => listServices(client, { page, limit: largestPage, ...(status && { status }) }),
      see: seeServices,
      ...(status === undefined && { open: openServices }),
    });

  return [
    services("suspended"),
    services("provisioning_failed"),
    documentReader("invoice", app),
    documentReader("proforma", app),
    balance,
    orderReader(app),
    imageReader(app),
    pageReader<"customer", Vps>({
      name: "machines",
      every: intervals.urgent,
      whole: true,
      page: (client, page) => listVps(client, { page, limit: largestPage }),
      open: openMachines,
      async see(rows, round, { page, last, unread }) {
        const limits = await readSettings(app);
        for (const row of rows) {
          await seeVps(app, row, limits, clock.now(), round);
        }
        const figures = machineFigures(rows, clock.now(), unread.length);
        await addToEstate(app, "machines", figures, { page, last, key: round.key });
      },
    }),
    pageReader<"customer", Dedicated>({
      name: "dedicated servers",
      every: intervals.seldom,
      whole: true,
      page: pageOfDedicated,
      see: (rows, { key }, { page, last, unread }) =>
        addToEstate(app, "dedicated servers", machineFigures(rows, clock.now(), unread.length), { page, last, key }),
    }),
    services(),
    locationReader(app),
  ];
}

/** Reads the names of the locations, by which alerts count machines: a machine's row has a code. */
function locationReader(app: ReadersApp): Reader<"customer"> {
  return {
    name: "locations",
    every: intervals.seldom,
    async step(client) {
      await noteLocationNames(app, await listLocations(client));
      return null;
    },
  };
}

/** A platform without dedicated servers refuses the list: then it is empty. Spec section 4.4. */
async function pageOfDedicated(client: CustomerClient, page: number) {
  try {
    return await listDedicated(client, { page, limit: largestPage });
  } catch (error) {
    if (!(error instanceof PlatformRefused && error.code === "FEATURE_DISABLED")) throw error;
    return { rows: [], pagination: { pages: 0 } };
  }
}

async function seeVps(app: ReadersApp, row: Vps, limits: AlertLimits, now: number, round: PollingRound): Promise<void> {
  const { id, name, hostname, status, product, location, billing, cancellation, failure, instance } = row;
  const isEnding = billing.cycle === "hourly" || cancellation !== null;
  const dueAt = isEnding ? null : billing.next_due_date;
  const renewalKey = isEnding || dueAt !== null ? round.key : undefined;
  await noteFacts(app, id, { product: product.name, location, renewalKey });
  const service: ObservedService = {
    id,
    name,
    hostname,
    kind: "vps",
    status,
    dueAt,
    endsAt: cancellation?.scheduled_date ?? null,
    source: "polling",
    failure: failure ? characters(failure.message) : null,
  };
  const observed = [
    ...billingObservations(service, "billing"),
    ...machineObservations(service, instance),
    ...dueObservations(service, limits, now),
  ];
  await observe(app, `service:${id}`, observed, round);
}

function serviceOf(row: Service): ObservedService {
  const { id, name = null, hostname = null, serviceType, status } = row;
  return { id, name, hostname, kind: serviceType, status, dueAt: dueOf(row), source: "polling" };
}

/** The spec does not name the field of the product, so try the usual ones; null where none is there. */
function productOf({ productName, product_name: name, product }: Service): string | null {
  const named = z.object({ name: z.string() }).safeParse(product).data?.name;
  return z.string().safeParse(productName ?? name ?? named).data ?? null;
}

/** Reads the own images, and raises an event when one became ready or failed. */
function imageReader(app: ReadersApp): Reader<"customer"> {
  const see = (image: CustomImage, round: PollingRound) => seeImage(app, image, round);
  return pageReader<"customer", CustomImage>({
    name: "images",
    every: intervals.usual,
    whole: false,
    page: async (client) => ({ rows: await listCustomImages(client), pagination: { pages: 1 } }),
    async see(images, round) {
      for (const image of images) await see(image, round);
    },
    open: openResources(app, {
      kind: "image",
      aspects: ["image"],
      idOf: ({ id }) => id,
      judges: ({ data }) => Boolean(data.imageId),
      read: (client, id) => readCustomImage(client, id),
      see,
    }),
  });
}

const imageEvents: Partial<Record<CustomImage["status"], EventName>> = {
  available: "image.ready",
  error: "image.failed",
};

async function seeImage(
  app: ReadersApp,
  { id, name, status, source_kind, error }: CustomImage,
  round: PollingRound,
): Promise<void> {
  const observation = {
    aspect: "image",
    state: status,
    eventFor(before: string | null) {
      const event = ownValue(imageEvents, status);
      // An image that is served from elsewhere was not made by the platform.
      if (!event || (before === null && source_kind === "external")) return null;
      const data = { imageId: id, name: characters(name), status, reason: error ? characters(error) : null };
      return { event, source: "polling" as const, led: reportedState(event), data };
    },
  };
  await observe(app, `image:${id}`, [observation], round);
}
