import { createPartner, type Partner, type PaymentMethod, resoldOf } from "../programme/partner.ts";
import type { Programme } from "../programme/programme.ts";
import { productId } from "../world/catalogue.ts";
import { seededId } from "../world/ids.ts";
import type { World } from "../world/world.ts";

const day = 86_400_000;

/** The practice team sells on: customers, what is theirs, and cards that are charged. Somebody else does, too. */
export function seedProgramme(world: World, programme: Programme, team: string, outsider: string): Partner {
  const partner = createPartner(team, "ana");
  programme.partners.set(team, partner);
  programme.partners.set(outsider, createPartner(outsider, "zoe"));
  partner.paymentMethods = paymentMethods(world);
  seedCustomers(world, partner);
  const { settings } = programme;
  settings.priceBook.set(productId("VPS S"), { monthly: 380 });
  settings.priceBook.set(productId("VPS Windows"), { hourly: 3 });
  settings.notResold.add(productId("VPS withdrawn"));
  settings.caps.set(productId("VPS full"), 0);
  return partner;
}

function paymentMethods(world: World): PaymentMethod[] {
  const lastUsedAt = new Date(world.clock.now() - 12 * day).toISOString();
  const card = { type: "card", cardBrand: "visa", isDefault: false, lastUsedAt: null, refusal: null } as const;
  return [
    {
      ...card,
      id: seededId("method", "card"),
      label: "Company card",
      cardLastFour: "4242",
      isDefault: true,
      lastUsedAt,
    },
    {
      ...card,
      id: seededId("method", "declined"),
      label: "Old card",
      cardLastFour: "0002",
      refusal: "Your card was declined",
    },
    { ...card, id: seededId("method", "wallet"), type: "wallet", label: "Wallet", cardBrand: null, cardLastFour: null },
  ];
}

interface Sold {
  externalId: string;
  name: string;
  email: string | null;
  /** Services by name, each with the partner's own id for it. */
  services: Record<string, string>;
}

const customers: Sold[] = [
  {
    externalId: "acme-bakery",
    name: "Acme Bakery",
    email: "it@acme-bakery.example.test",
    services: { "web-2": "ACME-001", mail: "ACME-002", "suspended-1": "ACME-003" },
  },
  {
    externalId: "borealis",
    name: "Borealis Studio",
    email: "ops@borealis.example.test",
    services: { "worker-1": "BOR-001", "metal-1": "BOR-002", "arena-1": "BOR-003", "plugin-1": "BOR-004" },
  },
  { externalId: "cobalt-<&>", name: "Cobalt & Söhne <GmbH>", email: null, services: { "gone-1": "COB-001" } },
  { externalId: "newcomer", name: "Newcomer Ltd", email: "hello@newcomer.example.test", services: {} },
];

function seedCustomers(world: World, partner: Partner): void {
  for (const [index, { externalId, name, email, services }] of customers.entries()) {
    const id = seededId("customer", externalId);
    const created_at = new Date(world.clock.now() - (90 - index) * day).toISOString();
    const metadata = index === 0 ? { tier: "gold", contact: { name: "Iris" } } : {};
    partner.customers.set(id, { id, externalId, email, name, metadata, created_at });
    for (const [service, externalServiceId] of Object.entries(services)) {
      const found = [...world.services.values()].find((one) => one.name === service && one.holder === partner.holder);
      if (found === undefined) throw new Error(`There is no service ${service} to sell on`);
      Object.assign(resoldOf(partner, found.id), { externalServiceId, customer: id });
    }
  }
}
