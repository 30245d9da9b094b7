import * as z from "zod";
import type { Answer } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { kindSection, readDocument, type ServiceDocument } from "../../../platform/reseller/document.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { type Block, context, facts, section } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { markOf } from "../../service/service.ts";
import { cardSteps } from "./card-steps.ts";
import { nameOf, resoldService, stateOf, wholesaleOf } from "./service.ts";

export const show = defineOperation({
  command: "reseller service show",
  summary: "Show a service that you sell on: whose it is, how it is, what it costs you",
  act: readDocument,
  reads: [readCapabilities, readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target }) {
    const document = await documentOf(client, target.serviceId);
    const can = document?.capabilities ?? (await readCapabilities(client, target.serviceId));
    return { ...serviceCard(target, document), next: cardSteps(target, can, document) };
  },
});

/** The service's page, or null where the platform has none; the answer then has only the row. */
async function documentOf(client: ResellerClient, id: string): Promise<ServiceDocument | null> {
  try {
    return await readDocument(client, id);
  } catch (error) {
    if (error instanceof PlatformRefused && error.status < 500 && error.auth === undefined) return null;
    throw error;
  }
}

function serviceCard(row: Service, document: ServiceDocument | null): Answer {
  const state = stateOf(row);
  const text = `${code(nameOf(row))} is ${state}.`;
  const blocks: Block[] = [
    section(`${markOf(state)} *${code(nameOf(row))}* is ${state}`),
    ...notices[row.status].map((notice) => section(notice)),
    ...facts(factsOf(row, document)),
    ...(document ? documentBlocks(document) : [context("The platform shows no more of it than this.")]),
    context(`Service ${code(row.serviceId)}`),
  ];
  return { text, blocks };
}

const notices: Record<Service["status"], string[]> = {
  pending: [],
  pending_payment: [":receipt: It waits for its document to be paid, and is built then."],
  installing: [],
  active: [],
  suspended: [":no_entry: It is suspended, and still billed to you: only terminating ends that."],
  provisioning_failed: [":x: It could not be built. The supplier knows; the order tells more."],
  cancelled: [],
  terminated: [":black_circle: It is terminated, and no longer billed."],
  fraud: [":no_entry: The supplier withholds it. Ask them."],
};

function factsOf(row: Service, document: ServiceDocument | null): { label: string; value: string }[] {
  const place = row.serverLocation ?? document?.service.serverLocation;
  const rows: [string, string | null | undefined][] = [
    ["Sold to", row.externalCustomerId && code(row.externalCustomerId)],
    ["Your own id", row.externalServiceId && code(row.externalServiceId)],
    ["Product", row.productName && prose(row.productName, 100)],
    ["Address", row.serverIp && code(`${row.serverIp}${row.serverPort ? `:${row.serverPort}` : ""}`)],
    ["Location", place && prose(place, 100)],
    ["System", document?.service.osImage?.name && prose(document.service.osImage.name, 100)],
    ["Costs you", wholesaleOf(row)],
    ["Next due", row.nextDueDate && moment(row.nextDueDate)],
    ["Ordered", row.createdAt && moment(row.createdAt)],
  ];
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Sections that the spec does not show, in the platform's layout and without their secrets. */
function documentBlocks(document: ServiceDocument): Block[] {
  const parts: [string, unknown][] = [
    ["Network", partSecrets(document.network).rest],
    ["Machine", kindSection(document).rest],
    ["Specification", partSecrets(document.service.productSpecs).rest],
  ];
  return parts.flatMap(([title, value]) => jsonBlocks(value, { title }));
}
