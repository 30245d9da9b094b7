import { expect, test } from "vitest";
import { noInteraction } from "../../src/messages/origin.ts";
import { readReason, reasonView } from "../../src/slack/question-modals.ts";

const origin = { ...noInteraction, member: "T:U", slackUser: "U", channel: null };

test("a reason is read from the modal that asked for it", () => {
  const state = { reason: { value: { value: " The disk is full " } } };
  const { private_metadata = "" } = reasonView(
    "override",
    { id: "r1", request: null, name: null, shown: null },
    origin,
  );
  expect(readReason({ private_metadata, state, by: origin })).toMatchObject({
    kind: "override",
    request: "r1",
    reason: "The disk is full",
  });
});
