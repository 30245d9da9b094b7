import type { ApiResponse } from "../../http/response.ts";
import { documentRow } from "../../money/documents.ts";
import { euros } from "../../money/money.ts";
import type { Change } from "../../money/upgrades.ts";
import type { BillingDocument, Upgrade } from "../../world/billing.ts";
import { summary } from "../orders/create-result.ts";
import type { Call } from "../request/call.ts";
import { success } from "../request/envelope.ts";

/** The answer to a change that has begun (spec 2.12). */
export function upgradeResult(
  call: Call,
  upgrade: Upgrade,
  document: BillingDocument | null,
  lines: Change["lines"],
): ApiResponse {
  const made = {
    upgrade: upgradeView(upgrade),
    billingDocument: document === null ? null : documentRow(document),
    billingDocumentType: document?.type ?? null,
    lineItems: lines.map(({ description, amount }) => ({ description, amount: euros(amount) })),
    orderId: upgrade.order_id,
  };
  if (call.world.settings.shapes.upgradeSummary === "beside") return success(201, made, summary(call, document));
  return success(201, { ...made, ...summary(call, document) });
}

export function upgradeView({ id, status, kind, executed_at, created_at, service_id }: Upgrade) {
  return { id, status, kind, executed_at, created_at, service_id };
}
