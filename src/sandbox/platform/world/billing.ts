import type { Cycle } from "./service.ts";

export interface Payment {
  id: string;
  amount: number;
  method: "credit" | "operator";
  created_at: string;
}

/** An invoice or a proforma. Amounts in cents. */
export interface BillingDocument {
  id: string;
  type: "invoice" | "proforma";
  number: string;
  holder: string;
  /** Paid proformas are converted; only an unpaid one whose cause is gone is cancelled. */
  status: "unpaid" | "pending" | "paid" | "converted" | "cancelled";
  lines: { description: string; amount: number }[];
  tax: number;
  total: number;
  payments: Payment[];
  /** The invoice that a proforma became, if that is recorded. */
  invoice_id: string | null;
  service_ids: string[];
  /** Renewals are priced anew when the service is upgraded. */
  cause: "order" | "add-on" | "upgrade" | "renewal" | "conversion";
  created_at: string;
  /** The work that begins once it is paid. */
  whenPaid: () => void;
}

/** A movement of a user's credit; amounts in cents. */
export interface LedgerEntry {
  id: string;
  user: string;
  type: "deposit" | "payment";
  amount: number;
  balance: number;
  description: string;
  created_at: string;
}

/** An option of a service. */
export interface AddOn {
  id: string;
  service_id: string;
  option_id: string;
  name: string;
  status: "pending_payment" | "active" | "cancelled";
  quantity: number;
  billing_cycle: Cycle;
  /** In cents, for a whole cycle. */
  amount: number;
  termination_date: string | null;
  created_at: string;
}

/** A change of a service's product or options. */
export interface Upgrade {
  id: string;
  service_id: string;
  status: "awaiting_payment" | "executing" | "completed" | "cancelled";
  kind: "product" | "options";
  document_id: string | null;
  order_id: string;
  executed_at: string | null;
  created_at: string;
}
