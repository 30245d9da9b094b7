import * as capabilities from "../../../../src/platform/reseller/capabilities.ts";
import { readDocument } from "../../../../src/platform/reseller/document.ts";
import * as network from "../../../../src/platform/reseller/network.ts";
import * as provider from "../../../../src/platform/reseller/provider.ts";
import * as sshKeys from "../../../../src/platform/reseller/ssh-keys.ts";
import { readStats, readTraffic } from "../../../../src/platform/reseller/stats.ts";
import type { ResellerCall } from "../call.ts";
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
const traffic = {
  samples: [{ t: 1, in: 8, out: null }],
  summary: { average: 8 },
  monthTotal: { total_bytes_in: 9, total_bytes_out: 10 },
  daily: [{ day: "2026-11-20", rx_bytes: 1, tx_bytes: 2 }],
  collecting: false,
};

export const panelCalls: ResellerCall[] = [
  [
    "GET /services/s1/capabilities",
    (client) => capabilities.readCapabilities(client, "s1"),
    { answer: withMore(can()), gives: can() },
    {
      answer: { capabilities: can({ backend: null, power: false, powerActions: null }) },
      gives: can({ backend: null, power: false, powerActions: [] }),
    },
  ],
  [
    "GET /services/s1/os-templates",
    (client) => capabilities.listOsTemplates(client, "s1"),
    {
      answer: { templates: [{ id: 3, name: "Debian 13", logo: null }], platform: "native" },
      gives: { templates: [{ id: "3", name: "Debian 13" }], platform: "native" },
    },
    { answer: [{ id: "i1", name: "Debian 13" }], gives: { templates: [{ id: "i1", name: "Debian 13" }] } },
  ],
  [
    "GET /services/s1/stats",
    (client) => readStats(client, "s1"),
    {
      answer: { platform: "native", collecting: true, series: [sample], stats: figures },
      gives: { of: "vps", collecting: true, samples: [sample], figures },
    },
    {
      answer: { platform: "native", collecting: true, series: null, stats: null },
      gives: { of: "vps", collecting: true, samples: [], figures: null },
    },
    { answer: hardware, gives: { of: "dedicated", figures: hardware } },
    {
      answer: {
        platform: "dedicated",
        stats: { ...hardware, network: { rx_bps: 1, sampledAt: "2026-11-20T10:00:00Z", netin_bytes: null } },
      },
      gives: {
        of: "dedicated",
        figures: { ...hardware, network: { rx_bps: 1, sampledAt: "2026-11-20T10:00:00Z", netin_bytes: null } },
      },
    },
    {
      answer: { collecting: "no", stats: { memory: "plenty" } },
      gives: { of: "provider", answer: { collecting: "no", stats: { memory: "plenty" } } },
    },
  ],
  [
    "GET /services/s1/document",
    (client) => readDocument(client, "s1"),
    { answer: withMore(document()), gives: document() },
    { answer: { document: document({ capabilities: null }) }, gives: document({ capabilities: null }) },
  ],
  [
    "GET /services/s1/traffic?range=7d",
    (client) => readTraffic(client, "s1", "7d"),
    { answer: withMore(traffic), gives: traffic },
  ],
  [
    "GET /services/s1/traffic?range=1h",
    (client) => readTraffic(client, "s1", "1h"),
    {
      answer: { daily: traffic.daily, points: traffic.samples },
      gives: { daily: traffic.daily, samples: traffic.samples },
    },
    { answer: traffic.samples, gives: { samples: traffic.samples } },
    {
      answer: { collecting: true, daily: [], monthTotal: null },
      gives: { samples: [], collecting: true, daily: [], monthTotal: null },
    },
  ],
  [
    "GET /services/s1/health",
    (client) => network.readHealth(client, "s1"),
    { passes: [{ sensor: "fan1", rpm: 3000 }] },
  ],
  [
    "GET /services/s1/network",
    (client) => network.readNetwork(client, "s1"),
    { passes: { ipAddresses: [{ id: "ip1" }] } },
  ],
  [
    "PUT /services/s1/rdns",
    (client) => network.setRdns(client, "s1", { ipAddressId: "ip1", hostname: "a.example.net" }),
    { body: { ipAddressId: "ip1", hostname: "a.example.net" }, answer: { queued: true } },
  ],
  [
    "PUT /services/s1/rdns",
    (client) => network.setRdns(client, "s1", { ipAddressId: "ip1", hostname: null }),
    { body: { ipAddressId: "ip1", hostname: null } },
  ],
  [
    "PUT /services/s1/transit-config",
    (client) => network.setTransitConfig(client, "s1", { customerAsn: 64500, announcedPrefixes: ["192.0.2.0/24"] }),
    {
      body: { customerAsn: 64500, announcedPrefixes: ["192.0.2.0/24"] },
      beside: { message: "Saved" },
    },
  ],
  [
    "GET /services/s1/ssh-keys",
    (client) => sshKeys.listServerSshKeys(client, "s1"),
    {
      answer: { sshKeys: [{ id: 4, name: "laptop" }], notice: "at the next reinstall" },
      gives: [{ id: "4", name: "laptop" }],
    },
  ],
  [
    "POST /services/s1/ssh-keys",
    (client) => sshKeys.addServerSshKey(client, "s1", { sshKeyId: "k1" }),
    { body: { sshKeyId: "k1" }, answer: { id: "4" } },
  ],
  [
    "POST /services/s1/ssh-keys",
    (client) => sshKeys.addServerSshKey(client, "s1", { publicKey: "ssh-ed25519 AAAA", name: "laptop" }),
    { body: { publicKey: "ssh-ed25519 AAAA", name: "laptop" } },
  ],
  ["DELETE /services/s1/ssh-keys/k%2F1", (client) => sshKeys.deleteServerSshKey(client, "s1", "k/1")],
  [
    "GET /services/s1/provider",
    (client) => provider.readProvider(client, "s1"),
    {
      answer: { provider: { slug: "acme-cloud", panel: { user: "u1", password: "pw-4" } } },
      gives: {
        secrets: [{ name: "panel.password", value: "pw-4" }],
        rest: { slug: "acme-cloud", panel: { user: "u1" } },
      },
    },
    { answer: { provider: null }, gives: null },
  ],
  [
    "GET /services/s1/ui-schema",
    (client) => provider.readUiSchema(client, "s1"),
    { passes: { schema: { tabs: [] } } },
    { passes: { schema: null } },
  ],
  [
    "POST /services/s1/ui-action/reset%2Fall",
    (client) => provider.runUiAction(client, "s1", "reset/all", { deep: true }),
    {
      body: { params: { deep: true } },
      answer: { ok: true, admin: { password: "hunter22" } },
      gives: { secrets: [{ name: "admin.password", value: "hunter22" }], rest: { ok: true } },
    },
  ],
  [
    "POST /services/s1/ui-action/ping",
    (client) => provider.runUiAction(client, "s1", "ping"),
    { body: { params: {} }, answer: "pong", gives: { secrets: [], rest: "pong" } },
  ],
];
