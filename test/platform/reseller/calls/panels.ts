import * as capabilities from "../../../../src/platform/reseller/capabilities.ts";
import { readDocument } from "../../../../src/platform/reseller/document.ts";
import * as network from "../../../../src/platform/reseller/network.ts";
import * as provider from "../../../../src/platform/reseller/provider.ts";
import * as sshKeys from "../../../../src/platform/reseller/ssh-keys.ts";
import { readStats } from "../../../../src/platform/reseller/stats.ts";
import { readTraffic } from "../../../../src/platform/reseller/traffic.ts";
import type { Call } from "../call.ts";
import { capabilities as can, document, withMore } from "../rows.ts";

const figures = {
  status: "running",
  cpu: { usage: 12.5, cores: 2 },
  memory: { percentage: null, used: null, cached: null, total: 4096, source: null },
  disk: null,
  network: { rx_bps: 10, tx_bps: 20, netin_bytes: 1, netout_bytes: 2, month_netin_bytes: 3, month_netout_bytes: 4 },
};
const sample = { t: 1_795_000_000, cpu_pct: 3, mem_used_bytes: null, nics: [], disks: [] };
const hardware = { cpu: "EPYC", ram: "64 GB", storage: [], powerState: "unreachable", health: null };
const shown = {
  ...document(),
  features: {
    ...Object.fromEntries(
      "power console reinstall password_reset stats backups snapshots subnets nics storage location hardware_health rdns rescue ssh_keys"
        .split(" ")
        .map((panel) => [panel, false]),
    ),
    traffic: true,
  },
  options: { priceBasis: "wholesale", active: [{ id: "7", optionId: "o1", quantity: 2 }], available: [] },
};
const traffic = {
  samples: [{ t: 1, in: 8, out: null }],
  summary: { average: 8 },
  monthTotal: { total_bytes_in: 9, total_bytes_out: 10 },
  daily: [{ day: "2026-11-20", rx_bytes: 1, tx_bytes: 2 }],
  collecting: false,
};

export const panelCalls: Call[] = [
  {
    name: "what a service can do",
    call: (client) => capabilities.readCapabilities(client, "s1"),
    sends: "GET /services/s1/capabilities",
    answer: withMore(can()),
    gives: can(),
  },
  {
    name: "what a service without a backend can do, under its name",
    call: (client) => capabilities.readCapabilities(client, "s1"),
    sends: "GET /services/s1/capabilities",
    answer: { capabilities: can({ backend: null, power: false, powerActions: null }) },
    gives: can({ backend: null, power: false, powerActions: [] }),
  },
  {
    name: "the systems of a VPS",
    call: (client) => capabilities.listOsTemplates(client, "s1"),
    sends: "GET /services/s1/os-templates",
    answer: { templates: [{ id: 3, name: "Debian 13", logo: null }], platform: "native" },
    gives: { templates: [{ id: "3", name: "Debian 13" }], platform: "native" },
  },
  {
    name: "the systems of a dedicated server, alone",
    call: (client) => capabilities.listOsTemplates(client, "s1"),
    sends: "GET /services/s1/os-templates",
    answer: [{ id: "i1", name: "Debian 13" }],
    gives: { templates: [{ id: "i1", name: "Debian 13" }] },
  },
  {
    name: "the usage of a VPS",
    call: (client) => readStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: { platform: "native", collecting: true, series: [sample], stats: figures },
    gives: { of: "vps", collecting: true, samples: [sample], figures },
  },
  {
    name: "the usage of a VPS of which nothing is known yet",
    call: (client) => readStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: { platform: "native", collecting: true, series: null, stats: null },
    gives: { of: "vps", collecting: true, samples: [], figures: null },
  },
  {
    name: "the state of a dedicated server",
    call: (client) => readStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: hardware,
    gives: { of: "dedicated", figures: hardware },
  },
  {
    name: "the state of a dedicated server, inside its stats",
    call: (client) => readStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: {
      platform: "dedicated",
      stats: { ...hardware, network: { rx_bps: 1, sampledAt: "now", netin_bytes: null } },
    },
    gives: { of: "dedicated", figures: { ...hardware, network: { rx_bps: 1, sampledAt: "now", netin_bytes: null } } },
  },
  {
    name: "the usage that a provider tells in its own way",
    call: (client) => readStats(client, "s1"),
    sends: "GET /services/s1/stats",
    answer: { collecting: "no", stats: { memory: "plenty" } },
    gives: { of: "provider", answer: { collecting: "no", stats: { memory: "plenty" } } },
  },
  {
    name: "a service's page",
    call: (client) => readDocument(client, "s1"),
    sends: "GET /services/s1/document",
    answer: withMore(document()),
    gives: shown,
  },
  {
    name: "a service's page under its name",
    call: (client) => readDocument(client, "s1"),
    sends: "GET /services/s1/document",
    answer: { document: document({ capabilities: null, options: null, upgrades: undefined }) },
    gives: { ...shown, capabilities: null, options: null, upgrades: undefined },
  },
  {
    name: "traffic",
    call: (client) => readTraffic(client, "s1", "7d"),
    sends: "GET /services/s1/traffic?range=7d",
    answer: withMore(traffic),
    gives: traffic,
  },
  {
    name: "traffic whose samples have another name",
    call: (client) => readTraffic(client, "s1", "1h"),
    sends: "GET /services/s1/traffic?range=1h",
    answer: { daily: traffic.daily, points: traffic.samples },
    gives: { daily: traffic.daily, samples: traffic.samples },
  },
  {
    name: "traffic that is its samples alone",
    call: (client) => readTraffic(client, "s1", "1h"),
    sends: "GET /services/s1/traffic?range=1h",
    answer: traffic.samples,
    gives: { samples: traffic.samples },
  },
  {
    name: "traffic of which there is nothing yet",
    call: (client) => readTraffic(client, "s1", "1h"),
    sends: "GET /services/s1/traffic?range=1h",
    answer: { collecting: true, daily: [], monthTotal: null },
    gives: { samples: [], collecting: true, daily: [], monthTotal: null },
  },
  {
    name: "the hardware's health",
    call: (client) => network.readHealth(client, "s1"),
    sends: "GET /services/s1/health",
    answer: [{ sensor: "fan1", rpm: 3000 }],
    gives: [{ sensor: "fan1", rpm: 3000 }],
  },
  {
    name: "the network",
    call: (client) => network.readNetwork(client, "s1"),
    sends: "GET /services/s1/network",
    answer: { ipAddresses: [{ id: "ip1" }] },
    gives: { ipAddresses: [{ id: "ip1" }] },
  },
  {
    name: "a reverse name",
    call: (client) => network.setRdns(client, "s1", { ipAddressId: "ip1", hostname: "a.example.net" }),
    sends: "PUT /services/s1/rdns",
    body: { ipAddressId: "ip1", hostname: "a.example.net" },
    answer: { queued: true },
    gives: { queued: true },
  },
  {
    name: "a reverse name that is cleared",
    call: (client) => network.setRdns(client, "s1", { ipAddressId: "ip1", hostname: null }),
    sends: "PUT /services/s1/rdns",
    body: { ipAddressId: "ip1", hostname: null },
    gives: null,
  },
  {
    name: "IP transit",
    call: (client) =>
      network.setTransitConfig(client, "s1", { customerAsn: 64500, announcedPrefixes: ["192.0.2.0/24"] }),
    sends: "PUT /services/s1/transit-config",
    body: { customerAsn: 64500, announcedPrefixes: ["192.0.2.0/24"] },
    beside: { message: "Saved" },
    gives: { message: "Saved" },
  },
  {
    name: "the SSH keys of a server",
    call: (client) => sshKeys.listServerSshKeys(client, "s1"),
    sends: "GET /services/s1/ssh-keys",
    answer: { sshKeys: [{ id: 4, name: "laptop" }], notice: "at the next reinstall" },
    gives: [{ id: "4", name: "laptop" }],
  },
  {
    name: "a stored SSH key for a server",
    call: (client) => sshKeys.addServerSshKey(client, "s1", { sshKeyId: "k1" }),
    sends: "POST /services/s1/ssh-keys",
    body: { sshKeyId: "k1" },
    answer: { id: "4" },
    gives: { id: "4" },
  },
  {
    name: "a new SSH key for a server",
    call: (client) => sshKeys.addServerSshKey(client, "s1", { publicKey: "ssh-ed25519 AAAA", name: "laptop" }),
    sends: "POST /services/s1/ssh-keys",
    body: { publicKey: "ssh-ed25519 AAAA", name: "laptop" },
    gives: null,
  },
  {
    name: "taking an SSH key from a server",
    call: (client) => sshKeys.deleteServerSshKey(client, "s1", "k/1"),
    sends: "DELETE /services/s1/ssh-keys/k%2F1",
  },
  {
    name: "a provider",
    call: (client) => provider.readProvider(client, "s1"),
    sends: "GET /services/s1/provider",
    answer: { provider: { slug: "acme-cloud", panel: { user: "u1", password: "pw-4" } } },
    gives: {
      secrets: [{ name: "panel.password", value: "pw-4" }],
      rest: { slug: "acme-cloud", panel: { user: "u1" } },
    },
  },
  {
    name: "no provider",
    call: (client) => provider.readProvider(client, "s1"),
    sends: "GET /services/s1/provider",
    answer: { provider: null },
    gives: null,
  },
  {
    name: "a provider's page",
    call: (client) => provider.readUiSchema(client, "s1"),
    sends: "GET /services/s1/ui-schema",
    answer: { schema: { tabs: [] } },
    gives: { schema: { tabs: [] } },
  },
  {
    name: "no page of the provider's own",
    call: (client) => provider.readUiSchema(client, "s1"),
    sends: "GET /services/s1/ui-schema",
    answer: { schema: null, useDefaultUI: true },
    gives: { schema: null, useDefaultUI: true },
  },
  {
    name: "an action of a provider",
    call: (client) => provider.runUiAction(client, "s1", "reset/all", { deep: true }),
    sends: "POST /services/s1/ui-action/reset%2Fall",
    body: { params: { deep: true } },
    answer: { ok: true, admin: { password: "hunter22" } },
    gives: { secrets: [{ name: "admin.password", value: "hunter22" }], rest: { ok: true, admin: {} } },
  },
  {
    name: "an action of a provider without parameters",
    call: (client) => provider.runUiAction(client, "s1", "ping"),
    sends: "POST /services/s1/ui-action/ping",
    body: { params: {} },
    answer: "pong",
    gives: { secrets: [], rest: "pong" },
  },
];
