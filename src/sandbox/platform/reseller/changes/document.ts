import { addressOf } from "../../programme/events.ts";
import { panelOf } from "../../programme/panel.ts";
import type { Dedicated, Service, Vps } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { isoNow } from "../../world/world.ts";
import { serviceOf, statusOf } from "../request/access.ts";
import type { Call, Route } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { backendOf, capabilitiesOf } from "../services/capabilities.ts";
import { networkOf } from "../services/network.ts";
import { optionsSection } from "./options.ts";
import { upgradesSection } from "./package.ts";

export const documentRoutes: Route[] = [
  { method: "GET", path: "/services/{serviceId}/document", scope: "read", handle: show },
];

/** All that is shown of a service (spec 2.4). */
function show(call: Call) {
  const service = serviceOf(call);
  const capabilities = capabilitiesOf(call, service);
  const { hostname, location, billing, product, specs } = service;
  return underName(call, "document", {
    kind: kindOf(call, service),
    serviceId: service.id,
    generatedAt: isoNow(call.world),
    service: {
      id: service.id,
      hostname,
      status: statusOf(call, service),
      serverIp: addressOf(service),
      serverLocation: location,
      billingCycle: billing.cycle,
      nextDueDate: billing.next_due_date,
      productName: product.name,
      productSpecs: specs,
      osImage: service.kind === "vps" && service.instance?.os ? { name: service.instance.os, logoUrl: null } : null,
    },
    capabilities,
    features: featuresOf(call, service, capabilities),
    ...sectionOf(call, service),
    network: networkOf(call, service),
    options: optionsSection(call, service),
    upgrades: upgradesSection(call, service),
  });
}

function kindOf(call: Call, { kind, provider }: Service) {
  if (kind !== "unknown") return kind === "vps" && provider !== "native" ? "plugin" : kind;
  if (provider === "transit") return "ip-transit";
  if (provider === "colocation") return "colocation";
  return call.world.plugins.has(provider) ? "plugin" : "generic";
}

function featuresOf(call: Call, service: Service, can: ReturnType<typeof capabilitiesOf>) {
  const metal = service.kind === "dedicated" && service.status !== "terminated";
  const native = backendOf(call, service) === "vps";
  return {
    power: can.power,
    console: can.console,
    reinstall: can.reinstall,
    password_reset: can.password,
    stats: can.stats,
    backups: can.backups && !native,
    snapshots: can.backups && native,
    subnets: metal || service.provider === "transit",
    nics: metal,
    storage: metal,
    location: service.location !== null,
    traffic: metal || native || service.provider === "transit",
    hardware_health: service.kind === "dedicated" && service.provisioning_managed && metal,
    rdns: metal,
    rescue: metal && call.programme.settings.rescue,
    ssh_keys: metal,
  };
}

/** The section of its kind; others are absent. The spec does not show its content. */
function sectionOf(call: Call, service: Service): object {
  if (service.kind === "dedicated") return { dedicated: dedicatedSection(call, service) };
  if (service.kind === "game") return { game: { title: service.game.title, state: service.game.state } };
  const kind = kindOf(call, service);
  if (kind === "plugin") return { plugin: { provider: service.provider } };
  if (service.kind === "vps") return { vps: vpsSection(call, service) };
  if (kind === "ip-transit")
    return { ipTransit: { ...panelOf(call.partner, service.id).transit, port: "1G", bgp: "established" } };
  if (kind === "colocation") return { colocation: { rack: "A-07", units: [12, 13], power: { feeds: 2, amps: 16 } } };
  return {};
}

function dedicatedSection(call: Call, server: Dedicated) {
  const { hardware, provision_state, os_installation, power_state } = server;
  const { rescue } = panelOf(call.partner, server.id);
  const nics = [{ name: "eth0", mac: "02:00:00:00:00:01", speed: "10G" }];
  if (shapeOf(call, server.id, 2) === 0) {
    return {
      specs: hardware?.specs ?? null,
      location: "Madrid",
      datacenter: { name: "MAD1" },
      rack: "B-12",
      provisioning: { provision_state, power_state, rescue },
      os_installation,
      nics,
      storage: [{ device: "nvme0", size: "1 TB" }],
    };
  }
  return {
    specs: Object.entries(hardware?.specs ?? {}).map(([name, value]) => ({ name, value })),
    location: { city: "Madrid", country: "ES" },
    rack: { name: "B-12", unit: 4 },
    provisioning: provision_state,
    os_installation: { status: os_installation },
    nics,
    storage: "2 x 1 TB NVMe",
  };
}

function vpsSection(call: Call, { id, instance, snapshots, snapshots_max, os_installation_status }: Vps) {
  const machine = {
    vcpus: instance?.vcpus ?? null,
    memory_mb: instance?.memory_mb ?? null,
    disk_gb: instance?.disk_gb ?? null,
  };
  const limits = { used: snapshots.length, max: snapshots_max };
  if (shapeOf(call, id, 2) === 0) {
    return { state: instance?.state ?? null, ...machine, snapshots: limits, os_installation: os_installation_status };
  }
  return { instance: instance === null ? null : { status: instance.state, specs: machine }, snapshot_limits: limits };
}
