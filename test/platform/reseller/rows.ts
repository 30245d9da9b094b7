/** The platform's answers from the spec, each with an additional unknown field. */
const unknown = { a_field_of_tomorrow: { any: "thing" } };

export function productRow(changes: object = {}) {
  return {
    id: "p1",
    name: "VPS M",
    slug: "vps-m",
    description: null,
    category: "VPS",
    currency: "EUR",
    pricing: {
      currency: "EUR",
      monthly: 10,
      quarterly: null,
      semiAnnual: "55.5000",
      annual: "100.00",
      hourly: null,
      setupFee: 0,
    },
    specs: { cpu: 2 },
    options: [
      {
        id: "o1",
        name: "Backups",
        pricingType: "recurring",
        maxQuantity: 3,
        pricing: { monthly: "2.00", setupFee: "1.00" },
        retail: { monthly: "3.00" },
        discountRate: 33,
      },
    ],
    ...changes,
  };
}

export function orderRow(changes: object = {}) {
  return {
    id: "or1",
    order_number: "ORD-1001",
    status: "completed",
    billing_cycle: "monthly",
    total_amount: "10.0000",
    created_at: "2026-11-20T10:00:00Z",
    external_order_id: "ext-1",
    payment_status: "paid",
    provisioning_status: "provisioned",
    wholesale_amount: "8.0000",
    currency: "EUR",
    payment_failed_reason: null,
    invoice_id: "inv-1",
    external_customer_id: "acme",
    external_customer_email: null,
    external_customer_name: "Acme",
    product_name: "VPS M",
    services: [{ serviceId: "s1", status: "active", hostname: "a.example.net", serverIp: "192.0.2.1" }],
    ...changes,
  };
}

export function placed(changes: object = {}) {
  return {
    orderId: "or1",
    orderNumber: "ORD-1001",
    externalOrderId: "ext-1",
    status: "paid",
    paymentStatus: "paid",
    paymentMode: "saved_method",
    amount: 8,
    vat: "1.68",
    total: "9.68",
    currency: "EUR",
    invoiceId: "inv-1",
    services: [{ serviceId: "s1", status: "pending" }],
    options: [{ optionId: "o1", name: "Backups", quantity: 1, unitPrice: "2.00", setupFee: "0.00" }],
    message: "Order placed",
    ...changes,
  };
}

export function serviceRow(changes: object = {}) {
  return {
    serviceId: "s1",
    externalServiceId: "web-1",
    externalCustomerId: "acme",
    productName: "VPS M",
    status: "active",
    serverIp: "192.0.2.1",
    hostname: "a.example.net",
    billingCycle: "monthly",
    wholesaleAmount: "8.0000",
    nextDueDate: "2026-12-20T00:00:00Z",
    createdAt: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function capabilities(changes: object = {}) {
  return {
    backend: "vps",
    power: true,
    powerActions: ["start", "stop", "restart"],
    stats: true,
    console: true,
    reinstall: true,
    password: true,
    backups: false,
    ...changes,
  };
}

export function document(changes: object = {}) {
  return {
    kind: "ip-transit",
    service: {
      hostname: null,
      status: "active",
      serverLocation: "Prague",
      productSpecs: { port: "10G" },
      osImage: null,
    },
    capabilities: capabilities({ backend: null }),
    features: { traffic: true, rescue: false },
    ipTransit: { asn: 64500 },
    network: { subnets: [], ipAddresses: [], allocations: [], rdns: [] },
    ...changes,
  };
}

export function snapshotRow(changes: object = {}) {
  return {
    id: "b1",
    name: "before",
    status: "available",
    size_bytes: 1024,
    restorable: true,
    in_progress: false,
    crash_consistent: true,
    destroys_on_restore: ["after"],
    comes_back_running: true,
    created_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function castRow(changes: object = {}) {
  return {
    id: "c1",
    viewOnly: true,
    openExpiresAt: "2026-11-20T10:15:00Z",
    viewerTtlSeconds: 3600,
    viewerExpiresAt: null,
    status: "pending",
    ...changes,
  };
}

export function customerRow(changes: object = {}) {
  return {
    id: "cu1",
    external_customer_id: "acme",
    external_customer_email: "ops@acme.example",
    external_customer_name: "Acme",
    metadata: { plan: "gold" },
    created_at: "2026-11-20T10:00:00Z",
    service_count: 3,
    ...changes,
  };
}

/** The same row with an unknown field. */
export function withMore<T extends object>(row: T): T & typeof unknown {
  return { ...row, ...unknown };
}
