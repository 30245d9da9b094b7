import type { Precondition, Preconditions } from "../../../operation/answer.ts";
import { unreadIs } from "../../../operation/preconditions.ts";
import { isPlatformError, keyRejected } from "../../../platform/http/errors.ts";
import { listBackups } from "../../../platform/reseller/backups.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { type DocumentKind, readDocument } from "../../../platform/reseller/document.ts";
import { listGameBackups } from "../../../platform/reseller/game/lists.ts";
import { readOptions } from "../../../platform/reseller/options.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import type { PlainText } from "../../../process/plain-text.ts";
import { capital, code, listingOf } from "../../../views/text.ts";
import { addOnWords } from "../../kits/add-ons.ts";
import { rowTitle } from "../../kits/lines.ts";
import { alsoLost, type LostPart } from "../../kits/losses.ts";
import { readFoundBackups } from "./backups.ts";
import { activeAddOn } from "./options.ts";

/** The endpoints that are read for `readLosses`. */
export const lossReads = [readDocument, readOptions, listBackups, listGameBackups] as const;

/** Rows that end with the service. Null where the platform does not show them now, which does not prove that there are none. */
type EndingRows = EndingRow[] | null;

/** `quantity`: of an add-on, so that more or fewer of it are another loss. */
interface EndingRow {
  id: string;
  name: PlainText;
  quantity?: number | null;
}

/** All that ends with a service beside its data: a sentence after a blank, and the facts whose change voids the request. */
export async function readLosses(
  client: ResellerClient,
  row: Service,
): Promise<{ loss: string; preconditions: Preconditions }> {
  const [document, options] = await Promise.all([
    readDocument(client, row.serviceId).catch(unread),
    readOptions(client, row.serviceId).catch(unread),
  ]);
  const kind = document?.kind ?? null;
  const copies = hasCopies(row, kind) ? await readCopies(client, row, kind) : null;
  const addOns = options?.active.map((one) => ({ id: one.id, ...activeAddOn(one) })) ?? null;
  return {
    loss: alsoLost([
      ...(copies ? partOf(copies.of, copies.rows) : []),
      ...partOf("add-ons", addOns),
      ...partOf("address", addressesIn(row)),
    ]),
    preconditions: {
      ...(copies && { copies: rowsAre(capital(copies.of), copies) }),
      addOns: rowsAre("Add-ons", { rows: addOns }),
      ...addressOf(row),
    },
  };
}

/** The address, which the list shows as well. */
export function addressOf({ serverIp }: Service): Preconditions {
  // Null is no address; a row that leaves the field out does not say.
  if (serverIp === undefined) return { addresses: unreadIs("Address") };
  return {
    addresses: {
      value: serverIp,
      label: "Address",
      text: serverIp ? code(serverIp) : "no address",
      decides: "known",
    },
  };
}

function addressesIn({ serverIp }: Service): EndingRows {
  if (serverIp === undefined) return null;
  return serverIp ? [{ id: serverIp, name: serverIp }] : [];
}

/** For the `catch` of a read without which an act is decided all the same, as unknown: null unless the key is rejected. */
export function unread(error: unknown): null {
  if (isPlatformError(error) && !keyRejected(error)) return null;
  throw error;
}

/** A dedicated server has no backups, and neither has a service that was never built. Reseller spec sections 3.2 and 4.3. */
function hasCopies({ status }: Service, kind: DocumentKind | null): boolean {
  const isUnbuilt = status === "pending" || status === "pending_payment" || status === "cancelled";
  return !isUnbuilt && kind !== "dedicated" && kind !== "ip-transit" && kind !== "colocation";
}

async function readCopies(client: ResellerClient, { serviceId }: Service, kind: DocumentKind | null) {
  if (kind === "game") {
    const found = await listGameBackups(client, serviceId).catch(unread);
    const rows = found?.rows?.map((one) => ({ id: one.id, name: rowTitle(one) })) ?? null;
    return { of: "backups", rows, unread: undefined };
  }
  const rows = await readFoundBackups(client, serviceId).catch(unread);
  // Without its kind, the service may be a game server, whose backups have a list and ids of their own.
  const isOther = kind === null && rows?.some(({ snapshot }) => snapshot === null) === true;
  // A provider lists no snapshots, and an empty list of its backups is none that was read.
  const isVps = rows?.every(({ snapshot }) => snapshot !== null) ?? kind === "vps";
  const of = isVps ? "snapshots" : kind === null && rows === null ? "snapshots and backups" : "backups";
  return { of, rows, unread: isOther ? (true as const) : undefined };
}

function partOf(what: string, rows: EndingRows): LostPart[] {
  if (rows === null) return [{ what, names: ["unknown"] }];
  return rows.length === 0 ? [] : [{ what, names: rows.map(rowWords) }];
}

function rowWords({ name, quantity = 1 }: EndingRow): string {
  return addOnWords({ name, quantity });
}

function rowsAre(label: string, { rows, unread }: { rows: EndingRows; unread?: true | undefined }): Precondition {
  if (rows === null) return unreadIs(label);
  return {
    value: rows.map(({ id, quantity }) => (quantity === undefined ? id : [id, quantity])).toSorted(),
    label,
    text: listingOf(rows.map(rowWords), 10) || `no ${label.toLowerCase()}`,
    unread,
  };
}
