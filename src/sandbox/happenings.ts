import type { PracticePlatform } from "./platform/practice-platform.ts";
import type { Service } from "./platform/world/service.ts";
import type { Happening } from "./slack/server.ts";

const machineBusy = {
  status: 409,
  body: { success: false, code: "CONFLICT", error: "The machine is busy with another task" },
};

type Act = Omit<Happening, "group">;

function inGroup(group: string, acts: Act[]): Happening[] {
  return acts.map((act) => ({ ...act, group }));
}

/** Acts of the practice platform's supplier that a visitor of the demo can trigger, so that alerts come. */
export function happenings(platform: PracticePlatform): Happening[] {
  return [...supplierActs(platform), ...ownAccount(platform), ...payments(platform), ...deliveries(platform)];
}

function supplierActs(platform: PracticePlatform): Happening[] {
  const { reseller } = platform;
  const { supplier, settings } = reseller;
  return inGroup("The supplier", [
    {
      id: "fail-build",
      label: "The next build fails",
      press() {
        supplier.failNextBuild();
        return "The next server that is built will fail. Order one.";
      },
    },
    {
      id: "suspend",
      label: "Suspends a service",
      press: () => onService(platform, "active", "suspended", (id) => supplier.suspend(id)),
    },
    {
      id: "unsuspend",
      label: "Lifts the suspension",
      press: () => onService(platform, "suspended", "active again", (id) => supplier.unsuspend(id)),
    },
    {
      id: "bill",
      label: "A renewal falls due",
      press: () =>
        onService(platform, "active", "due for its renewal: a document waits", (id) => supplier.billRenewal(id)),
    },
    { id: "pay", label: "The newest document is paid", press: () => payNewest(platform) },
    {
      id: "ask-supplier",
      label: "Wants to agree to package changes",
      press() {
        settings.approvesChanges = !settings.approvesChanges;
        return settings.approvesChanges ? "A change of package now waits for the supplier." : "It no longer does.";
      },
    },
    { id: "agree", label: "Agrees to the change", press: () => decide(platform, true) },
    { id: "deny", label: "Denies the change", press: () => decide(platform, false) },
    {
      id: "rotate",
      label: "The signing secret is rotated",
      press: () => `The old secret has ended. The new one is \`${reseller.rotateSecret()}\`.`,
    },
  ]);
}

/** Changes of the team's own account. They have no events: only polling finds them. */
function ownAccount(platform: PracticePlatform): Happening[] {
  return inGroup("Your own account", [
    {
      id: "bill-own",
      label: "An invoice comes",
      press() {
        const { number } = platform.bill("Colocation for a month", 4_000);
        return `${number} waits to be paid.`;
      },
    },
    { id: "due-own", label: "An invoice falls due", press: () => fallDue(platform, 1, "is due tomorrow") },
    { id: "overdue-own", label: "An invoice is overdue", press: () => fallDue(platform, -1, "is overdue") },
    {
      id: "stop-own",
      label: "A machine stops",
      press() {
        platform.change("web-1", { instance: { state: "stopped" } });
        return "web-1 has stopped, and nobody asked for it.";
      },
    },
    {
      id: "break-own",
      label: "A machine fails",
      press() {
        platform.change("worker-1", { instance: { state: "error" } });
        return "worker-1 is in error.";
      },
    },
    {
      id: "refuse-reboot",
      label: "The next reboot is refused",
      press() {
        platform.faults.next({ how: machineBusy, method: "POST", path: "/vps/{id}/reboot" });
        return "The next VPS that is rebooted refuses. Reboot several: the others go on, and that one can be tried again.";
      },
    },
    {
      id: "renew-own",
      label: "A renewal comes near",
      press() {
        platform.renewIn("db-1", 2);
        return "db-1 is to be renewed in two days.";
      },
    },
    {
      id: "poor-own",
      label: "Dave's balance is spent",
      press() {
        platform.changeUser("dave", { balance: 300 });
        return "Dave, whose key reads in the background, has 3.00 EUR left.";
      },
    },
  ]);
}

/** Sets the due date of the newest unpaid invoice to so many days from now. */
function fallDue(platform: PracticePlatform, inDays: number, words: string): string {
  const open = platform.documents().filter(({ type, status }) => type === "invoice" && status === "unpaid");
  const invoice = open.at(-1);
  if (invoice === undefined) return "No invoice waits for money.";
  platform.fallDue(invoice.id, inDays);
  return `${invoice.number} ${words}.`;
}

/** Does `act` to a resold service that has this status. */
function onService(
  { reseller }: PracticePlatform,
  status: Service["status"],
  becomes: string,
  act: (id: string) => void,
): string {
  const service = reseller.sold().find((one) => one.status === status);
  if (service === undefined) return `No resold service is ${status}.`;
  act(service.id);
  return `${service.hostname ?? service.name} is ${becomes}.`;
}

function payNewest(platform: PracticePlatform): string {
  const open = platform.documents().filter(({ status }) => status === "unpaid" || status === "pending");
  const document = open.at(-1);
  if (document === undefined) return "No document waits for money.";
  platform.payByOperator(document.id);
  return `${document.number} is paid.`;
}

function decide({ reseller }: PracticePlatform, agreed: boolean): string {
  const [serviceId] = reseller.waitingChanges();
  if (serviceId === undefined) return "No change of package waits for the supplier.";
  reseller.decideChange(serviceId, agreed);
  return agreed ? "The supplier agrees: the product's name follows." : "The supplier denies the change.";
}

function payments({ reseller }: PracticePlatform): Happening[] {
  const modes = {
    saved_method: "By the saved card",
    credit: "From the credit balance",
    invoice: "By an invoice, later",
  } as const;
  const chosen = (["saved_method", "credit", "invoice"] as const).map((mode): Act => {
    return {
      id: mode,
      label: modes[mode],
      press() {
        reseller.settings.mode = mode;
        return `Saved: ${modes[mode].toLowerCase()}.`;
      },
    };
  });
  let declines = false;
  const card: Act = {
    id: "decline",
    label: "The card is declined, or not",
    press() {
      declines = !declines;
      reseller.changePaymentMethod("Company card", { refusal: declines ? "Your card was declined" : null });
      return declines ? "The company card is declined from now on." : "The company card is charged again.";
    },
  };
  return inGroup("How orders are paid", [...chosen, card]);
}

function deliveries({ reseller: { webhooks, deliveries: all } }: PracticePlatform): Happening[] {
  const { faults } = webhooks;
  const minute = 60_000;
  return inGroup("Events arrive", [
    {
      id: "post-due",
      label: "Now",
      async press() {
        await webhooks.postDue();
        const waiting = all().filter(({ state }) => state === "waiting").length;
        return waiting === 0 ? "All events are delivered." : `Events that wait for another attempt: ${waiting}.`;
      },
    },
    {
      id: "twice",
      label: "Twice",
      press() {
        faults.twice = !faults.twice;
        return faults.twice ? "Each event comes twice." : "Each event comes once.";
      },
    },
    {
      id: "reversed",
      label: "Out of order",
      press() {
        faults.reversed = !faults.reversed;
        return faults.reversed ? "The newest event comes first." : "Events come in their order.";
      },
    },
    {
      id: "late",
      label: "A minute late",
      press() {
        faults.lateMs = faults.lateMs === 0 ? minute : 0;
        return faults.lateMs === 0 ? "Events arrive without delay." : "Each event arrives a minute late.";
      },
    },
  ]);
}
