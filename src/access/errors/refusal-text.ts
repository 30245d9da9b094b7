import type { ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import { moment } from "../../views/format.ts";
import { code, prose, sentence } from "../../views/text.ts";
import { resellerMeaning } from "./reseller-refusals.ts";

/** Words for the key's owner: the reader, or another member whom the sentence must name. */
export interface Whose {
  key: string;
  account: string;
  links: boolean;
}

/** Makes the sentence for a refusal when Rackbell knows more than the platform's own words say. */
type RefusalText = (error: PlatformRefused, when: string, whose: Whose) => string;

const scopeText: RefusalText = (error, _when, { key }) =>
  `The scope ${code(error.scope ?? "that this needs")} is missing: ${key} does not have it. Nothing changed. Scopes cannot be added to a key: make a new one with that scope in the panel, and link it.`;

const featureText: RefusalText = (error) =>
  `The platform's operator has switched this off: ${sentence(prose(error.reason))} Nothing changed.`;

const limitText: RefusalText = (_error, when, { key }) =>
  `The platform takes only so many calls an hour, and ${key} has used them up. Nothing changed.${when}`;

/** Customer spec section 7. */
const customerCodes: Record<string, RefusalText> = {
  SCOPE_REQUIRED: scopeText,
  ACCOUNT_SUSPENDED: (_error, _when, { account }) => `${account} is suspended, so it can only read. Nothing changed.`,
  FEATURE_DISABLED: featureText,
  PERMISSION_DENIED: (error, _when, { account }) =>
    `${account} does not permit this: ${sentence(prose(error.reason))} Nothing changed.`,
  PROJECT_SCOPE_MISMATCH: (_error, _when, { key }) =>
    `This is not in the project that ${key} belongs to. Nothing changed. Link a key that is not bound to a project, or one of that project.`,
  UNKNOWN_PROJECT: (_error, _when, { key }) =>
    `The chosen project no longer exists, or ${key} cannot see it. Nothing changed.`,
  RATE_LIMITED: limitText,
  ACTION_RATE_LIMITED: (_error, when) => `The platform lets this be done only so often. Nothing changed.${when}`,
  "game.module_disabled": () => "The platform's operator has switched game servers off. Nothing changed.",
  "game.server_not_found": () => "No game server is set up for this service, though its id is right. Nothing changed.",
  "game.capability.runtime_stubbed": () =>
    "Nothing runs behind this game server yet, so its power cannot be switched. Nothing changed. Ask the operator.",
  "game.power_action_unknown": () => "The platform does not know this power action for game servers. Nothing changed.",
};

/** The rate limit counts each call for an hour, so the platform can only say when all of them expire. Reseller spec section 8. */
const slidingLimitText: RefusalText = (error, when, { key }) => {
  const latest =
    error.limitEndsAt === undefined ? "" : ` It can be tried again by ${moment(error.limitEndsAt)} at the latest.`;
  return `The platform takes only so many calls within an hour, of ${key} and of the whole reseller account, and they are used up. Nothing changed.${when || latest}`;
};

const refusedText: RefusalText = (error, when) => {
  const { meaning, left } = resellerMeaning(error);
  const details = error.details.map(({ field, message }) => `\n• ${code(field)}: ${prose(message)}`).join("");
  return `The platform said no: ${sentence(prose(error.reason))} ${meaning ? `${meaning} ` : ""}${left}${when}${details}`;
};

/**
 * Selects the sentence for a refusal, if there is one: by code for the customer API, else by route for the reseller API, which has one
 * code only.
 */
export const refusalTexts: Record<ApiName, (error: PlatformRefused) => RefusalText | undefined> = {
  customer: (error) => (error.code === undefined ? undefined : customerCodes[error.code]),
  reseller: (error) => {
    if (error.scope !== undefined) return scopeText;
    if (error.code === "FEATURE_DISABLED") return featureText;
    return error.status === 429 ? slidingLimitText : refusedText;
  },
};
