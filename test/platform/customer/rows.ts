import { randomUUID } from "node:crypto";

/** A VPS as `GET /vps/{id}` shows it. */
export function vpsRow(changes: object = {}) {
  return {
    id: randomUUID(),
    name: "web-1",
    hostname: "web-1.example.net",
    status: "active",
    kind: "vps",
    provider: "native",
    product: { id: randomUUID(), name: "Small" },
    billing: { cycle: "monthly", amount: "12.5000", currency: "EUR", next_due_date: "2026-12-01T00:00:00Z" },
    cancellation: null,
    location: "Prague",
    primary_ip: "192.0.2.10",
    ip_addresses: [
      {
        address: "192.0.2.10",
        prefix_length: 24,
        gateway: "192.0.2.1",
        purpose: "primary",
      },
      {
        address: "2001:db8::10",
        prefix_length: null,
        gateway: null,
        purpose: "additional",
      },
    ],
    instance: {
      state: "running",
      vcpus: 2,
      memory_mb: 4096,
      disk_gb: null,
      os: "Debian 13",
      rescue_mode: false,
      updated_at: "2026-11-20T10:00:00Z",
    },
    os_installation_status: null,
    capabilities: {
      actions: ["start", "shutdown", "reboot"],
      reinstall: true,
      password_reset: true,
      snapshots: true,
      images: false,
      frozen: false,
      unavailable_reason: null,
      provider_dependent: false,
    },
    failure: null,
    specs: { cpu: 2, ram: "4 GB" },
    project: { id: randomUUID(), name: "Default" },
    created_at: "2026-01-02T03:04:05Z",
    a_field_of_tomorrow: { any: "thing" },
    ...changes,
  };
}

export function snapshotRow(changes: object = {}) {
  return {
    id: randomUUID(),
    name: "before-upgrade",
    description: null,
    status: "available",
    size_bytes: 1_234_567_890,
    has_memory: false,
    restorable: true,
    in_progress: false,
    crash_consistent: null,
    destroys_on_restore: ["after-upgrade"],
    comes_back_running: true,
    created_at: "2026-11-20T10:00:00Z",
    completed_at: null,
    ...changes,
  };
}

export function imageRow(changes: object = {}) {
  return {
    id: randomUUID(),
    name: "golden",
    description: null,
    source_kind: "capture",
    status: "capturing",
    size_bytes: null,
    virtual_size_bytes: null,
    source_url: null,
    source_sha256: null,
    os_family: "linux",
    error: null,
    available_at: null,
    created_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function projectRow(changes: object = {}) {
  return {
    id: randomUUID(),
    slug: "web",
    name: "Web",
    description: null,
    is_default: false,
    color: null,
    resources: { services: 2, orders: 3, custom_images: 0, ssh_keys: 1 },
    created_at: "2026-01-02T03:04:05Z",
    ...changes,
  };
}

export function identity(changes: object = {}) {
  return {
    version: "1",
    base_url: "https://platform.example/api/v1",
    user: { id: randomUUID(), email: "ada@example.net", name: "Ada" },
    account: null,
    key: { id: randomUUID(), label: "rackbell", scopes: ["read", "services"], project: null },
    project: null,
    rate_limit: { limit: 1000, remaining: 999, reset: 1_795_000_000 },
    scopes: [{ scope: "read", description: "Every read" }],
    links: { openapi: "/openapi.json" },
    ...changes,
  };
}
