/** How this platform answers where the spec leaves it open. A test changes it in place; an app has to live with every reading. */
export interface Shapes {
  /** Which of its shapes each payload has that the spec does not show; null: by the id of what it is about. */
  payload: number | null;
  /** True if an object or a list is a field of `data` with its own name; if not, it is `data` itself (spec 2.7, 4.2, 4.7). */
  named: boolean;
  /** The fields of an invoice or a proforma: under their name within `data`, or `data` itself (spec 2.6). */
  document: "named" | "flat";
  /** The place of the pagination of invoices, proformas and transactions: in `data`, or beside it (spec 2.1). */
  pagination: "inside" | "beside";
  /** Of which object the summary of an upgrade is on the top level (spec 2.12). */
  upgradeSummary: "inside" | "beside";
  /** True if the net amount of an upgrade on offer contains its fee: the spec names both, and the total alone is sure (2.12). */
  feeInNet: boolean;
  /** Which of an order and its document names the other: the spec shows no such field (2.6). */
  documentOrder: "order names it" | "it names order" | "it names its number" | "neither";
  /** The numbers of new orders and documents: each kind with its own letters, or by the year, each of a sequence of its own (2.6). */
  numbers: "with letters" | "by the year";
  /** The services of an order of a change (spec 4.5 has its type, and no other field). */
  changedServices: "listed" | "empty" | "left out";
  /** True if the lists of projects, SSH keys and custom images come in pages of 20, as others do (spec 4). */
  pagedLists: boolean;
  /** True if a path may name a project by its slug, too (spec 2.11). If not, the slug is a malformed uuid (spec 4). */
  projectSlugs: boolean;
  /** The status of a document that is paid in part (spec 3.3). */
  paidInPart: "unpaid" | "pending";
  /** The fate of a new resource whose body names another project than the header of its request (spec 4.6, 4.7). */
  otherProject: "taken" | "refused";
  /** The fate of an order that uses an own image or a stored key of another project (spec 4.6, 4.7). */
  orderAcross: "taken" | "refused";
  /** How often a minute a dedicated server may be switched: the spec states both (section 8). */
  dedicatedPower: 10 | 5;
  /** The address of a dedicated server: in its row, or at its own route alone (spec 2.5 names the route, and no field). */
  dedicatedAddress: "in row" | "apart";
  /** The `available` of an accepted password reset, which spec 4.3 does not explain. */
  passwordAvailable: boolean | null;
  /** The power in a dedicated server's detail: the machine's, or a stored one. Spec 2.5 has the power read from its own route. */
  detailPower: "live" | "on" | "off" | null;
  /** How the reseller API shows that a new order's charge failed. Spec 2.3 lists the status for a placed order, and spec 4.1 has no answer with it. */
  refusedCharge: 402 | 400 | 201;
  /** The rows of failed captures in the reseller API: spec 2.8 lists no status for them, and the customer spec has "error" (2.10). */
  failedCaptures: "left out" | "listed";
  /** The time in the body of a webhook's delivery: the spec gives it no type (section 6). */
  webhookTime: "text" | "seconds" | "milliseconds";
  /** True if a machine shows the stops and pauses that work on it brings along (spec 3.2: its transitions are not shown). */
  interludes: boolean;
}

export function createShapes(): Shapes {
  return {
    payload: null,
    named: false,
    document: "named",
    pagination: "inside",
    upgradeSummary: "inside",
    feeInNet: true,
    documentOrder: "order names it",
    numbers: "with letters",
    changedServices: "listed",
    pagedLists: false,
    projectSlugs: true,
    paidInPart: "unpaid",
    otherProject: "taken",
    orderAcross: "taken",
    dedicatedPower: 10,
    dedicatedAddress: "in row",
    passwordAvailable: true,
    detailPower: "live",
    refusedCharge: 402,
    failedCaptures: "left out",
    webhookTime: "text",
    interludes: false,
  };
}

/** Which of `count` shapes to give a payload that the spec does not show: always the same for the same id, unless one is set. */
export function shapeOf(call: { world: { settings: { shapes: Shapes } } }, id: string, count: number): number {
  const { payload } = call.world.settings.shapes;
  return payload === null ? Number.parseInt(id.slice(0, 6), 16) % count : payload % count;
}
