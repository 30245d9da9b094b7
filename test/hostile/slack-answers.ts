import type { ApiResponse } from "../../src/sandbox/platform/http/response.ts";
import type { ApiAnswer, SendByHand } from "../../src/sandbox/slack/wire/faults.ts";
import { fieldShapes, hasValue, type Shape, wholeShapes } from "./answers.ts";
import { placesIn } from "./fields.ts";

/** Codes with which Slack refuses any method, by its reference, and one that is in none. */
const anyMethod = [
  ...["access_denied", "accesslimited", "account_inactive", "deprecated_endpoint", "ekm_access_denied"],
  ...["enterprise_is_restricted", "fatal_error", "internal_error", "invalid_arg_name", "invalid_arguments"],
  ...["invalid_array_arg", "invalid_auth", "invalid_charset", "invalid_form_data", "invalid_post_type"],
  ...["method_deprecated", "missing_post_type", "missing_scope", "no_permission", "not_allowed_token_type"],
  ...["not_authed", "org_login_required", "ratelimited", "request_timeout", "service_unavailable"],
  ...["team_access_not_granted", "team_added_to_org", "token_expired", "token_revoked", "two_factor_setup_required"],
  "an error of tomorrow",
  "error_of_tomorrow",
];

/** Further codes, by the family of the method. */
const ofFamily: Readonly<Record<string, readonly string[]>> = {
  chat: [
    ...["cant_update_message", "channel_not_found", "edit_window_closed", "is_archived", "message_not_found"],
    ...["messages_tab_disabled", "msg_too_long", "no_text", "not_in_channel", "rate_limited", "restricted_action"],
    ...["thread_not_found", "too_many_attachments", "user_not_in_channel", "invalid_blocks", "metadata_too_large"],
  ],
  conversations: [
    "channel_not_found",
    "method_not_supported_for_channel_type",
    "user_not_found",
    "invalid_cursor",
    "limit_required",
    "not_in_channel",
    "cannot_dm_bot",
    "fetch_members_failed",
  ],
  users: ["user_not_found", "user_not_visible", "users_not_found", "invalid_cursor", "limit_required"],
  usergroups: ["plan_upgrade_required", "subteam_not_found"],
  views: [
    "expired_trigger_id",
    "exchanged_trigger_id",
    "hash_conflict",
    "not_found",
    "view_too_large",
    "push_limit_reached",
    "duplicate_external_id",
  ],
  files: ["file_not_found", "file_uploads_disabled", "storage_limit_reached", "posting_to_general_channel_denied"],
};

/** Shapes of the platform's alone. */
const notSlacks =
  /^(?:a rate limit|two rate limits|a negative rate|no calls left|data that|a success without|success as|no success|.*refusal|a scope|a rejected key|a resource|too many calls|a code of tomorrow)/;

/** How Slack may answer one call of a method, from the bodies that it usually sends. */
export function slackShapes(method: string, bodies: readonly unknown[], elsewhere: string): Shape[] {
  const family = method.split(".")[0] ?? "";
  const codes = [...anyMethod, ...(ofFamily[family] ?? [])];
  const places = new Map(bodies.flatMap(placesIn).map((place) => [place.join("."), place]));
  return [
    ...codes.map((code): Shape => ({ name: `refused: ${code}`, send: refusing({ ok: false, error: code }) })),
    { name: "refused without a code", send: refusing({ ok: false }) },
    { name: "refused with a number", send: refusing({ ok: false, error: 7 }) },
    { name: "ok as a text", send: changing((body) => ({ ...body, ok: "true" })) },
    { name: "ok alone", send: changing(() => ({ ok: true })) },
    ...["", "0", "1", "3600", "soon"].map(
      (after): Shape => ({ name: `429 and Retry-After “${after}”`, send: putOff(after) }),
    ),
    ...wholeShapes(elsewhere).filter(({ name }) => !notSlacks.test(name)),
    ...[...places.values()].filter((place) => bodies.some((body) => hasValue(body, place))).flatMap(fieldShapes),
  ];
}

function refusing(body: object): Shape["send"] {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

function changing(change: (body: object) => object): Shape["send"] {
  return (response, own) => {
    const body: unknown = JSON.parse(String(own().body));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(change(Object(body))));
  };
}

function putOff(after: string): Shape["send"] {
  return (response) => {
    const headers = after === "" ? {} : { "retry-after": after };
    response.writeHead(429, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ ok: false, error: "ratelimited" }));
  };
}

/** A shape as the practice Slack takes it. */
export function asSlackSends(shape: Shape): SendByHand {
  return (response, own, method) => shape.send(response, () => responseOf(own()), { method: "POST", path: method });
}

function responseOf({ status, headers = {}, body }: ApiAnswer): ApiResponse {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(body), headers };
}
