/** How this platform answers where the spec leaves it open. A test changes it in place; an app has to live with every reading. */
export interface Shapes {
  /** Which of its shapes each payload has that the spec does not show; null: by the id of what it is about. */
  payload: number | null;
  /** Whether a thing or a list is `data` itself, or stands in it under its own name (spec 2.7, 4.2, 4.7). */
  named: boolean;
  /** The fields of an invoice or a proforma: under their name within `data`, or `data` itself (spec 2.6). */
  document: "named" | "flat";
  /** Where the pagination of invoices, proformas and transactions sits: in `data`, or beside it (spec 2.1). */
  pagination: "inside" | "beside";
  /** Of which object the summary of an upgrade is on the top level (spec 2.12). */
  upgradeSummary: "inside" | "beside";
  /** Whether the lists of projects, SSH keys and custom images come in pages of 20, like others (spec 4), or whole. */
  pagedLists: boolean;
  /** Whether a slug stands for a project's id in a path, too (spec 2.11), or is a malformed uuid (spec 4). */
  projectSlugs: boolean;
  /** What a document reads that is paid in part (spec 3.3). */
  paidInPart: "unpaid" | "pending";
  /** How often a minute a dedicated server may be switched: the spec states both (section 8). */
  dedicatedPower: 10 | 5;
  /** How the reseller API tells that a new order's charge failed: the status is among those of a placed one (spec 2.3), and not among its answers (4.1). */
  refusedCharge: 402 | 400 | 201;
}

export function createShapes(): Shapes {
  return {
    payload: null,
    named: false,
    document: "named",
    pagination: "inside",
    upgradeSummary: "inside",
    pagedLists: false,
    projectSlugs: true,
    paidInPart: "unpaid",
    dedicatedPower: 10,
    refusedCharge: 402,
  };
}
