import { expect, test } from "vitest";
import { startResellerStory } from "../reseller/selling.ts";
import { said } from "../story.ts";

const id = "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11";
const other = "1c2d3e4f-4c35-4a8e-9f4e-0a4f4a3c9b22";

interface Row {
  command: string;
  /** The path that gives the row, and what it gives. */
  path: string;
  gives: object;
  /** By field of the spec: the text by which a member recognises it. */
  texts: Record<string, string>;
}

const order = {
  id,
  order_number: "RES-7001",
  status: "completed",
  billing_cycle: "quarterly",
  total_amount: "91.0000",
  created_at: "2026-02-01T10:00:00Z",
  external_order_id: "PO-77",
  payment_status: "failed",
  provisioning_status: "failed",
  wholesale_amount: "82.0000",
  currency: "SEK",
  payment_failed_reason: "Card expired.",
  provisioning_error: "No node is free.",
  invoice_id: "inv-9",
  proforma_id: "pro-9",
  external_customer_id: "acme",
  external_customer_email: "it@acme.example",
  external_customer_name: "Acme Bakery",
  product_name: "VPS XL",
  services: [{ serviceId: other, status: "active", hostname: "a.example.net", serverIp: "192.0.2.9" }],
};

const service = {
  serviceId: id,
  externalServiceId: "ACME-9",
  externalCustomerId: "acme",
  productName: "VPS XL",
  status: "suspended",
  serverIp: "192.0.2.9",
  serverPort: 2222,
  serverLocation: "Malmö",
  hostname: "a.example.net",
  billingCycle: "quarterly",
  wholesaleAmount: "82.0000",
  nextDueDate: "2026-03-01T10:00:00Z",
  createdAt: "2026-02-01T10:00:00Z",
};

const customer = {
  id,
  external_customer_id: "acme",
  external_customer_email: "it@acme.example",
  external_customer_name: "Acme Bakery",
  metadata: { tier: "gold-plated" },
  created_at: "2026-02-01T10:00:00Z",
  service_count: 17,
};

const image = {
  id,
  name: "own-debian",
  description: "Made by hand",
  source_kind: "external",
  status: "error",
  size_bytes: 3 * 2 ** 30,
  virtual_size_bytes: 21 * 2 ** 30,
  source_url: "https://images.example.org/own.qcow2",
  source_sha256: "ab".repeat(32),
  os_family: "plan9",
  error: "The disk could not be read.",
  available_at: "2026-02-02T10:00:00Z",
  created_at: "2026-02-01T10:00:00Z",
};

const project = {
  id,
  slug: "bakery",
  name: "The bakery",
  description: "All that bakes",
  is_default: true,
  color: "#336699",
  resources: { services: 11, orders: 12, custom_images: 13, ssh_keys: 14 },
  created_at: "2026-02-01T10:00:00Z",
};

const sshKey = {
  id,
  name: "Ana's laptop",
  public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIP1u",
  fingerprint: "SHA256:abcdef",
  created_at: "2026-02-01T10:00:00Z",
};

const payment = {
  id,
  type: "paypal",
  label: "Company card",
  cardBrand: "Visa",
  cardLastFour: "4242",
  isDefault: true,
  lastUsedAt: "2026-02-01T10:00:00Z",
};

const vps = {
  id,
  name: "web-9",
  hostname: "web-9.example.net",
  status: "active",
  kind: "vps",
  provider: "bakery-cloud",
  product: { id: other, name: "VPS XL" },
  billing: { cycle: "quarterly", amount: "82.0000", currency: "SEK", next_due_date: "2026-03-01T10:00:00Z" },
  cancellation: { scheduled_date: "2026-04-01T10:00:00Z" },
  location: "se-mma",
  primary_ip: "192.0.2.9",
  ip_addresses: [
    { address: "192.0.2.9", version: 4, prefix_length: 24, gateway: null, subnet_cidr: null, purpose: "primary" },
    { address: "2001:db8::9", version: 6, prefix_length: 64, gateway: null, subnet_cidr: null, purpose: "primary" },
  ],
  instance: {
    state: "paused",
    vcpus: 7,
    memory_mb: 9 * 1024,
    disk_gb: 77,
    os: "Plan 9",
    rescue_mode: true,
    updated_at: "2026-02-02T10:00:00Z",
  },
  os_installation_status: "failed",
  capabilities: {
    actions: ["start"],
    console: true,
    reinstall: true,
    password_reset: true,
    snapshots: true,
    images: true,
    shared: false,
    frozen: true,
    shared_managed: false,
    unavailable_reason: "frozen_cluster",
    provider_dependent: true,
  },
  failure: null,
  specs: { cpu: "7 cores of the bakery" },
  project: { id: other, slug: "bakery", name: "The bakery" },
  created_at: "2026-02-01T10:00:00Z",
};

const snapshot = {
  id,
  name: "before-upgrade",
  description: "All was well",
  status: "available",
  size_bytes: 3 * 2 ** 30,
  has_memory: false,
  restorable: true,
  in_progress: false,
  crash_consistent: true,
  destroys_on_restore: ["newer-one"],
  comes_back_running: true,
  created_at: "2026-02-01T10:00:00Z",
  completed_at: "2026-02-01T10:05:00Z",
};

const february = "2026-02-01 10:00 UTC";
const page = { page: 1, limit: 100, total: 1, totalPages: 1 };

const rows: Row[] = [
  {
    command: "vps show",
    path: `/vps/${id}`,
    gives: { data: vps },
    texts: {
      id,
      name: "web-9",
      hostname: "web-9.example.net",
      "instance state": "paused",
      product: "VPS XL",
      amount: "82.00",
      currency: "SEK",
      cycle: "a quarter",
      next_due_date: "2026-03-01",
      provider: "bakery-cloud",
      cancellation: "2026-04-01",
      location: "se-mma",
      primary_ip: "192.0.2.9",
      "second address": "2001:db8::9",
      vcpus: "7 vCPU",
      memory_mb: "9 G",
      disk_gb: "77 G",
      os: "Plan 9",
      rescue_mode: "rescue mode",
      os_installation_status: "last installation",
      unavailable_reason: "frozen",
      project: "The bakery",
      provider_dependent: "outside provider",
      created_at: february,
    },
  },
  {
    command: "vps show",
    path: `/vps/${id}`,
    gives: { data: { ...vps, instance: null } },
    texts: { id, specs: "7 cores of the bakery" },
  },
  {
    command: "vps snapshots",
    path: `/vps/${id}/snapshots`,
    gives: { data: { snapshots: [snapshot], used: 1, max: 5 } },
    texts: {
      name: "before-upgrade",
      description: "All was well",
      status: "available",
      size_bytes: "3 G",
      max: "5",
      destroys_on_restore: "newer-one",
      created_at: "2026-02-01",
    },
  },
  {
    command: "reseller order show",
    path: `/reseller/orders/${id}`,
    gives: { data: order },
    texts: {
      id,
      order_number: "RES-7001",
      billing_cycle: "quarterly",
      total_amount: "91.00",
      created_at: february,
      status: "completed",
      external_order_id: "PO-77",
      payment_status: "payment failed",
      provisioning_status: "not built",
      wholesale_amount: "82.00",
      currency: "SEK",
      invoice_id: "inv-9",
      proforma_id: "pro-9",
      payment_failed_reason: "Card expired",
      provisioning_error: "No node is free",
      external_customer_id: "`acme`",
      external_customer_email: "it@acme.example",
      product_name: "VPS XL",
      external_customer_name: "Acme Bakery",
      "services hostname": "a.example.net",
      "services ip": "192.0.2.9",
    },
  },
  {
    command: "reseller service show",
    path: `/reseller/services/${id}`,
    gives: { data: service },
    texts: {
      serviceId: id,
      externalServiceId: "ACME-9",
      externalCustomerId: "`acme`",
      productName: "VPS XL",
      status: "suspended",
      serverIp: "192.0.2.9",
      serverPort: "2222",
      serverLocation: "Malmö",
      hostname: "a.example.net",
      billingCycle: "quarterly",
      wholesaleAmount: "82.00",
      nextDueDate: "2026-03-01",
      createdAt: february,
    },
  },
  {
    command: "reseller customer show",
    path: "/reseller/customers",
    gives: { data: { customers: [customer], pagination: page } },
    texts: {
      id,
      external_customer_id: "`acme`",
      external_customer_email: "it@acme.example",
      created_at: february,
      external_customer_name: "Acme Bakery",
      metadata: "gold-plated",
      service_count: "17 services",
    },
  },
  {
    command: "reseller payment list",
    path: "/reseller/payment-methods",
    gives: { data: [payment] },
    texts: {
      type: "paypal",
      label: "Company card",
      cardLastFour: "4242",
      isDefault: "default",
      lastUsedAt: "2026-02-01",
    },
  },
  {
    command: "image show",
    path: `/custom-images/${id}`,
    gives: { data: image },
    texts: {
      id,
      name: "own-debian",
      description: "Made by hand",
      status: "cannot be used",
      size_bytes: "3 G",
      virtual_size_bytes: "21 G",
      source_url: image.source_url,
      source_sha256: image.source_sha256,
      source_kind: "*From*\nimages.example.org",
      os_family: "plan9",
      error: image.error,
      available_at: "2026-02-02",
      created_at: february,
    },
  },
  {
    command: "project show",
    path: `/projects/${id}`,
    gives: { data: project },
    texts: {
      id,
      slug: "`bakery`",
      name: "The bakery",
      description: "All that bakes",
      is_default: "Default",
      color: "#336699",
      services: "11",
      orders: "12",
      custom_images: "13",
      ssh_keys: "14",
      created_at: february,
    },
  },
  {
    command: "sshkey show",
    path: "/ssh-keys",
    gives: { data: [sshKey] },
    texts: {
      id,
      name: "Ana's laptop",
      public_key: sshKey.public_key,
      fingerprint: "SHA256:abcdef",
      created_at: february,
    },
  },
];

test("every field that the spec names is shown by the command that reads it", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { platform } = story;
  for (const { command, path, gives, texts } of rows) {
    // More than the row is read of a machine, so it is one that the platform has.
    const real = /^reseller service/.test(command)
      ? (platform.reseller.sold()[0]?.id ?? id)
      : /^vps/.test(command)
        ? platform.findVps("web-1").id
        : id;
    const own = (text: string) => text.replaceAll(id, real);
    const body = JSON.parse(own(JSON.stringify({ success: true, ...gives })));
    platform.faults.next({ how: { status: 200, body }, method: "GET", path: own(path), times: 9 });
    const target = /list$/.test(command) ? "" : real;
    const answer = await story.ask(story.ana, `/${command} ${target}`, own(texts.name ?? texts.hostname ?? ""));
    const details = said(answer).includes("Details") ? await story.details(story.ana, answer, own(texts.id ?? "")) : "";
    platform.faults.resume();
    const shown = `${said(answer)}\n${details}`;
    for (const [field, text] of Object.entries(texts)) expect.soft(shown, `${command} ${field}`).toContain(own(text));
  }
});
