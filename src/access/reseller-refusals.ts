import type { KnownRefusal, PlatformRefused } from "../platform/http/errors.ts";

const known: Record<KnownRefusal, string> = {
  "cycle not sold": "`/reseller product show` names the cycles that the product is sold on; choose one of those.",
  "location missing": "This product needs a datacentre: order again, and choose one.",
  "quantity cap":
    "You hold as many of this product as the supplier lets you. Terminate one that nobody needs, or ask the supplier for more.",
  "no upgrade path":
    "The supplier has made no way from its present product to that one. Choose another, or ask the supplier.",
  "no webhook address": "The supplier has no address to send events to: `/reseller webhook address` sets one.",
  "peer connections off": "The supplier has switched this off for everybody: only they can switch it on.",
};

const notThere = "It is not there, or belongs to somebody else: the platform does not tell the one from the other.";
const suspendedOrOver =
  "A suspended service cannot be started, entered, reinstalled or backed up, and a terminated one takes nothing; or the supplier has switched this off for its product.";
const noBackend =
  "Where nothing that Rackbell can reach runs it, or a dedicated server has no management controller, this cannot be done from here. Ask the supplier.";

/** Explains a refusal by route and status, since it has no code. The first match wins. Reseller spec sections 4.1 to 4.3 and 7. */
const meanings: [act: RegExp, status: number, meaning: string][] = [
  [
    /^POST \/(orders|services\/[^/]+\/change-package)$/,
    404,
    "This product is not in your catalogue: it does not exist, or is not sold to you.",
  ],
  [
    /^POST \/orders$/,
    409,
    "If an image is still being captured, wait until it is available; if its node is full or is not the one that you chose, leave the datacentre to the platform or order from a system of the supplier's.",
  ],
  [/^POST \/orders$/, 400, "Put it right and order again: the same order is not sent twice."],
  [/^POST \/orders\/[^/]+\/retry$/, 409, "Another attempt is under way, or it was placed and is paid in the panel."],
  [
    /^POST \/orders\/[^/]+\/retry$/,
    400,
    "Where the charge failed again, look at the payment method; an order that is paid, or waits for its invoice, is not charged again.",
  ],
  [/^POST \/services\/[^/]+\/suspend$/, 409, "Only an active service can be suspended."],
  [/^POST \/services\/[^/]+\/unsuspend$/, 409, "Only a suspended service can be let run again."],
  [/^POST \/services\/[^/]+\/power$/, 403, suspendedOrOver],
  [/^POST \/services\/[^/]+\/power$/, 400, noBackend],
  [
    /^POST \/services\/[^/]+\/power$/,
    424,
    "The server's management controller did not do it. Look at its state before you try again.",
  ],
  [
    /^POST \/services\/[^/]+\/change-package$/,
    409,
    "The service must be active, no other change may be under way, and the supplier must have a way to that product.",
  ],
  [
    /^POST \/services\/[^/]+\/(reinstall|password)$/,
    409,
    "An image that is not offered, or another reinstall that is under way, stands against it; for a new password the machine must run.",
  ],
  [
    /^POST \/services\/[^/]+\/reinstall$/,
    404,
    "There is no such system for this service. `/reseller service templates` lists them.",
  ],
  [
    /^POST \/services\/[^/]+\/(reinstall|password)$/,
    400,
    "A VPS needs a password of 8 characters or more, and a system by its id; a provider's service a system by its name.",
  ],
  [/^POST \/services\/[^/]+\/(reinstall|password)$/, 403, suspendedOrOver],
  [/^(GET|POST) \/services\/[^/]+\/console/, 409, "A console needs a machine that runs, and has its display up."],
  [
    /^(GET|POST) \/services\/[^/]+\/console-cast$/,
    400,
    "Only a VPS and a dedicated server have such a link; on a shared cluster it cannot be for looking alone.",
  ],
  [/^(GET|POST) \/services\/[^/]+\/console/, 400, noBackend],
  [/^(GET|POST) \/services\/[^/]+\/console/, 403, suspendedOrOver],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    403,
    "The supplier's product has no snapshots, or the service is suspended or terminated.",
  ],
  [/^[A-Z]+ \/services\/[^/]+\/backups/, 409, "Another job has the machine's disk in hand. Wait until it has ended."],
  [
    /^[A-Z]+ \/services\/[^/]+\/backups/,
    400,
    "A dedicated server takes no backups; a snapshot is restored by its exact name.",
  ],
  [/^POST \/services\/[^/]+\/(rescue|unrescue)$/, 403, "The supplier does not allow the rescue system here."],
  [
    /^POST \/services\/[^/]+\/(rescue|unrescue)$/,
    409,
    "The server must be settled first: nothing may be under way on it.",
  ],
  [/^PUT \/services\/[^/]+\/transit-config$/, 403, "The supplier keeps this setting to itself: ask them."],
  [/^PUT \/services\/[^/]+\/options$/, 409, "Something else is under way on this service. Wait until it has ended."],
  [
    /^POST \/services\/[^/]+\/capture$/,
    409,
    "The machine is busy, or another capture is under way. Wait until it has ended.",
  ],
  [/^DELETE \/images\//, 409, "The image is still being captured, or is in use."],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    403,
    "The supplier has switched game servers off, or the service is suspended or terminated.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    404,
    "Either the service has no game server, or what you named is not on it. `/reseller game show` tells which.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    409,
    "Where nothing runs behind the game server, only its supplier can set that up; otherwise what you asked for is there already, is locked or is one too many.",
  ],
  [
    /^[A-Z]+ \/services\/[^/]+\/game/,
    400,
    "What may be sent, only the supplier's game module knows: ask the supplier for its fields.",
  ],
  [
    /^DELETE \/customers\//,
    400,
    "Terminate what this customer still has first; `/reseller service list customer=…` names it.",
  ],
  [/ /, 404, notThere],
];

/** Explains a refusal of the reseller API; null when the platform's own words must do. */
export function resellerMeaning(error: PlatformRefused): string | null {
  const act = `${error.method} ${error.path.replace(/^\/reseller(?=\/)/, "")}`;
  const fits = meanings.find(([pattern, status]) => status === error.status && pattern.test(act));
  return error.known ? known[error.known] : (fits?.[2] ?? null);
}
