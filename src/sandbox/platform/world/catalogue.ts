import { seededId } from "./ids.ts";
import { images, type Template } from "./os-images.ts";
import type { Cycle } from "./service.ts";

export interface ProductLocation {
  value: string;
  sold_out: boolean;
  surcharge: { monthly: number; setup: number } | null;
}

export interface Option {
  id: string;
  name: string;
  /** Per month, in cents. */
  monthly: number;
}

export interface Product {
  id: string;
  name: string;
  kind: "vps" | "dedicated" | "game" | "unknown";
  provider: string;
  specs: { cpu: number; ram: number; storage: number } | null;
  /** In cents. */
  monthly: number;
  /** In euros, with up to four decimals; null: not sold by the hour. */
  hourly: number | null;
  cycles: Cycle[];
  templates: Template[];
  /** Linked, but the order gate refuses them. */
  not_orderable: Template[];
  locations: ProductLocation[];
  location_required: boolean;
  options: Option[];
  snapshots_max: number;
  /** Products a service of this one may move to. */
  upgrades: string[];
  /** In cents: for moving a service to this product. */
  upgrade_fee: number;
  /** The answer of availability for every location. */
  forced: "no_capacity" | "forced_unavailable" | "plan_disabled" | "unknown" | "sold_out" | "no_location" | null;
}

export interface Location {
  value: string;
  name: string;
  id: number | null;
  flag: string;
  country_code: string;
  shared: boolean;
}

export interface Catalogue {
  products: Map<string, Product>;
  locations: Location[];
  discounts: Map<string, { percent: number }>;
}

const linux = [images.debian, images.ubuntu, images.alma];

const locations: Location[] = [
  { value: "es-mad", name: "Madrid", id: 1, flag: "🇪🇸", country_code: "ES", shared: false },
  { value: "de-fra", name: "Frankfurt", id: 2, flag: "🇩🇪", country_code: "DE", shared: false },
  { value: "fi-hel", name: "Helsinki", id: 3, flag: "🇫🇮", country_code: "FI", shared: false },
  { value: "us-nyc", name: "New York (partner)", id: null, flag: "🇺🇸", country_code: "US", shared: true },
];

const options: Option[] = [
  { id: seededId("option", "backup"), name: "Daily backup", monthly: 300 },
  { id: seededId("option", "ipv4"), name: "Extra IPv4 address", monthly: 250 },
  { id: seededId("option", "monitoring"), name: "Monitoring", monthly: 100 },
];

const allCycles: Cycle[] = ["hourly", "monthly", "quarterly", "semi-annually", "annually"];
const paidAhead = allCycles.filter((cycle) => cycle !== "hourly");

const productLocations: ProductLocation[] = [
  { value: "es-mad", sold_out: false, surcharge: null },
  { value: "de-fra", sold_out: false, surcharge: { monthly: 2, setup: 5 } },
  { value: "fi-hel", sold_out: true, surcharge: null },
  { value: "us-nyc", sold_out: false, surcharge: { monthly: 1.5, setup: 0 } },
];

export function createCatalogue(): Catalogue {
  const products = [
    product("VPS S", {
      monthly: 500,
      hourly: 0.0075,
      specs: { cpu: 1, ram: 2048, storage: 25 },
      upgrades: ["VPS M", "VPS L"],
    }),
    product("VPS M", {
      monthly: 1000,
      hourly: 0.015,
      specs: { cpu: 2, ram: 4096, storage: 50 },
      upgrades: ["VPS S", "VPS L", "VPS M plus"],
    }),
    product("VPS M plus", {
      monthly: 1000,
      hourly: null,
      specs: { cpu: 2, ram: 6144, storage: 50 },
      upgrades: ["VPS L"],
    }),
    product("VPS L", {
      monthly: 2000,
      hourly: 0.03,
      specs: { cpu: 4, ram: 8192, storage: 100 },
      snapshots_max: 5,
      upgrade_fee: 200,
    }),
    product("VPS Windows", { monthly: 2500, specs: { cpu: 4, ram: 8192, storage: 120 }, templates: [images.windows] }),
    product("VPS Basic", {
      monthly: 300,
      specs: { cpu: 1, ram: 1024, storage: 10 },
      snapshots_max: 0,
      location_required: false,
    }),
    product("VPS without images", { monthly: 400, specs: { cpu: 1, ram: 1024, storage: 10 }, templates: [] }),
    product("VPS sold out", { monthly: 900, forced: "sold_out" }),
    product("VPS full", { monthly: 900, forced: "no_capacity" }),
    product("VPS withdrawn", { monthly: 900, forced: "forced_unavailable" }),
    product("VPS unchecked", { monthly: 900, forced: "unknown" }),
    product("Partner VPS", { monthly: 700, provider: "acme-cloud", location_required: false, locations: [] }),
    product("Metal 1", {
      kind: "dedicated",
      monthly: 8900,
      specs: { cpu: 16, ram: 65_536, storage: 2000 },
      location_required: false,
    }),
    product("Game box", { kind: "game", monthly: 1200, templates: [], locations: [], location_required: false }),
    product("Mail hosting", {
      kind: "unknown",
      provider: "postbox",
      monthly: 400,
      templates: [],
      locations: [],
      location_required: false,
    }),
  ];
  return {
    products: new Map(products.map((one) => [one.id, one])),
    locations,
    discounts: new Map([["PRACTICE10", { percent: 10 }]]),
  };
}

export function productId(name: string): string {
  return seededId("product", name);
}

function product(name: string, overrides: Partial<Product> & { monthly: number }): Product {
  const upgrades = (overrides.upgrades ?? []).map(productId);
  return {
    id: productId(name),
    name,
    kind: "vps",
    provider: "native",
    specs: { cpu: 2, ram: 4096, storage: 50 },
    hourly: null,
    cycles: overrides.hourly === undefined || overrides.hourly === null ? paidAhead : allCycles,
    templates: linux,
    not_orderable: [images.retired],
    locations: structuredClone(productLocations),
    location_required: true,
    options,
    snapshots_max: 3,
    upgrade_fee: 0,
    forced: null,
    ...overrides,
    upgrades,
  };
}
