import { aboutCredit, type DeclaredRefusal, mayNameBalance, namesTwoSums } from "../http/refusals.ts";

/** The refusals that any route may answer with. This API has one code, so a status alone declares them. Spec sections 5, 7 and 8. */
export const anyRoute: readonly DeclaredRefusal[] = [
  { status: 400, spec: "7" },
  { status: 401, spec: "5.1" },
  { status: 403, spec: "7" },
  {
    status: 403,
    says: "Peer connections are disabled",
    means: "The platform's operator has switched this off for everybody: only the operator can switch it on.",
    spec: "7",
  },
  {
    status: 404,
    means: "It does not exist, or belongs to somebody else: the platform does not say which.",
    spec: "7",
  },
  { status: 429, spec: "8" },
];

const suspended = { status: 403, says: /suspend/i, spec: "4.3" };
const terminated = {
  status: 403,
  says: /terminat/i,
  means: "A terminated service accepts no actions.",
  spec: "4.3",
};

/** The service is in no state for it. */
export const notInThisState: readonly DeclaredRefusal[] = [
  { ...suspended, means: "A suspended service cannot be started, opened, reinstalled or backed up." },
  terminated,
];

/** The same, or the product's switch is off. */
export const controlOff: readonly DeclaredRefusal[] = [
  ...notInThisState,
  {
    status: 403,
    says: /switched off|disabled|not allow|not offer/i,
    means: "The platform's operator has switched this off for its product.",
    spec: "4.3",
  },
];

export const noBackend: readonly DeclaredRefusal[] = [
  {
    status: 400,
    says: /controller/i,
    means: "A dedicated server without a management controller cannot be reached. Ask the platform's operator.",
    spec: "4.3",
  },
  {
    status: 400,
    says: /backend|runs? (it|this)/i,
    means: "No backend that Rackbell can reach runs the service. Ask the platform's operator.",
    spec: "4.3",
  },
];

/** A product that is named in a body. */
export const notInCatalogue: DeclaredRefusal = {
  status: 404,
  means: "This product is not in your catalogue: it does not exist, or is not sold to you.",
  spec: "4.1",
};

export const cycleNotSold: DeclaredRefusal = {
  status: 400,
  says: "is not sold on the",
  means: "`/reseller product show` names the cycles of this product: choose one of them.",
  spec: "1.1",
};

const shortBalance = { test: (sentence: string) => aboutCredit.test(sentence) || namesTwoSums(sentence) };

/** A short balance of the partner's credit. Section 1.2 fixes that it names both figures, and no words. */
export const creditTooLow: DeclaredRefusal & { means: string; says: typeof shortBalance } = {
  status: 400,
  says: shortBalance,
  means: "The credit with the platform is too low for this. Add credit in the platform's panel first.",
  states: "balance",
  spec: "1.2",
};

/** It stands where the gateway's own words are not shown. */
export const hiddenFailure =
  "The credit may be too low. Rackbell does not show the words of the gateway, since they may name the balance.";

/** Why a charge failed, for everybody who sees the order, or an alert about it: words that may name the balance are replaced. */
export function openChargeFailure(reason: string): string {
  if (!shortBalance.test(reason) || !mayNameBalance(reason)) return reason;
  return hiddenFailure;
}

const installRefusals: readonly DeclaredRefusal[] = [
  {
    status: 409,
    says: /offer|disabled|source/i,
    means: "An image that is not offered cannot be installed.",
    spec: "4.3",
  },
  {
    status: 409,
    says: /progress|under way/i,
    means: "Another reinstall is under way. Wait until it has ended.",
    spec: "4.3",
  },
  { status: 409, says: /running|stopped/i, means: "For a new password the machine must run.", spec: "7" },
  { status: 400, says: /password/i, means: "It needs a password of 8 characters or more.", spec: "4.3" },
  { status: 400, says: /uuid|image/i, means: "A VPS takes a system by its id.", spec: "4.3" },
  { status: 400, says: /template/i, means: "A provider's service takes a system by its name.", spec: "4.3" },
  ...controlOff,
];

export const reinstallRefusals: readonly DeclaredRefusal[] = [
  {
    status: 404,
    says: /image|template|system/i,
    means: "There is no such system for this service. `/reseller service templates` lists them.",
    spec: "4.3",
  },
  ...installRefusals,
];

export const passwordRefusals = installRefusals;

export const backupRefusals: readonly DeclaredRefusal[] = [
  ...notInThisState,
  { status: 403, says: /snapshot|backup/i, means: "The product has no snapshots.", spec: "4.3" },
  {
    status: 409,
    says: /job|disk|busy|progress/i,
    means: "Another job is using the machine's disk. Wait until it has ended.",
    spec: "4.3",
  },
  { status: 400, says: /dedicated/i, means: "A dedicated server takes no backups.", spec: "4.3" },
  { status: 400, says: /confirm|name/i, means: "A snapshot is restored by its exact name.", spec: "4" },
];

export const consoleRefusals: readonly DeclaredRefusal[] = [
  { status: 409, says: /display/i, means: "Its display is not up yet. Try again in a minute.", spec: "4.3" },
  { status: 409, says: /run|stop|paus/i, means: "A console needs a machine that runs.", spec: "4.3" },
  ...noBackend,
  ...controlOff,
];

export const castRefusals: readonly DeclaredRefusal[] = [
  {
    status: 400,
    says: /view|shared|cluster/i,
    means: "On a shared cluster such a link cannot be view-only.",
    spec: "4.3",
  },
  {
    status: 400,
    says: /vps|dedicated|kind|only/i,
    means: "Only a VPS and a dedicated server have such a link.",
    spec: "4.3",
  },
  ...controlOff,
];

export const rescueRefusals: readonly DeclaredRefusal[] = [
  {
    status: 403,
    says: /rescue|allow|switched off|disabled/i,
    means: "The platform's operator does not allow the rescue system for this server.",
    spec: "4",
  },
  {
    status: 409,
    says: /job|state|progress|busy|run/i,
    means: "No other job may run on the server. Wait until it has ended.",
    spec: "4",
  },
];
