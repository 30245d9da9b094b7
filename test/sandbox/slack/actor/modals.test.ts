import type { ModalView } from "@slack/types";
import { beforeEach, describe, expect, it } from "vitest";
import {
  buttons,
  openForAna,
  plain,
  pressesOf,
  refusalOf,
  type Stage,
  section,
  setStage,
  submissionsOf,
} from "../app.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});

function modal(more: Partial<ModalView> = {}): ModalView {
  return { type: "modal", callback_id: "form", title: plain("Form"), submit: plain("Send"), blocks: [], ...more };
}

function field(block_id: string, element: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const input = { type: "plain_text_input" as const, action_id: "value", ...element };
  return { type: "input" as const, block_id, label: plain(block_id), element: input, ...more };
}

const open = (view: ModalView) => openForAna(stage, view);

/** A trigger that Ana gives by a command. */
async function trigger(): Promise<string> {
  const { app, slack } = stage;
  let id = "";
  app.command("/trigger", async ({ ack, command }) => {
    id = command.trigger_id;
    await ack();
  });
  await slack.as("ana").type("/trigger");
  return id;
}

describe("a trigger", () => {
  it("opens a modal for whoever it came from, once, and within 3 seconds of the clock", async () => {
    const { app, slack, clock } = stage;
    const openBy = (trigger_id: string) => app.client.views.open({ trigger_id, view: modal() });
    const used = await trigger();
    await openBy(used);
    expect(slack.as("ana").modal()).toMatchObject({ callback_id: "form", type: "modal" });
    expect(slack.as("ben").modal()).toBeUndefined();
    expect(await refusalOf(openBy(used))).toMatchObject({ error: "exchanged_trigger_id" });
    const stale = await trigger();
    clock.skip(3_001);
    expect(await refusalOf(openBy(stale))).toMatchObject({ error: "expired_trigger_id" });
  });
});

describe("submitting", () => {
  it("brings the values of every field, filled and empty, with what the modal remembers", async () => {
    const { slack } = stage;
    const option = { text: plain("Debian"), value: "deb" };
    const options = [option, { text: plain("Alpine"), value: "alp" }];
    const bodies = submissionsOf(stage, "form");
    await open(
      modal({
        private_metadata: "vps-1",
        external_id: "draft-1",
        blocks: [
          field("name"),
          field("note", {}, { optional: true }),
          field("image", { type: "static_select", options }),
          field("keys", { type: "multi_static_select", options, initial_options: [option] }),
          field("when", { type: "datepicker" }),
          field("at", { type: "timepicker" }),
          field("who", { type: "users_select" }),
          field("where", { type: "conversations_select" }),
          field("agree", { type: "checkboxes", options: [{ text: plain("I do"), value: "yes" }] }),
          field("pace", { type: "radio_buttons", options }),
          field("count", { type: "number_input", is_decimal_allowed: false, min_value: "1", max_value: "9" }),
          field("mail", { type: "email_text_input" }),
          field("page", { type: "url_text_input" }),
        ],
      }),
    );
    const ana = slack.as("ana");
    await ana.fill({
      name: "web-1",
      image: "Alpine",
      when: "2026-11-21",
      at: "14:30",
      who: "ben",
      where: "#ops",
      agree: true,
      pace: "Debian",
      count: 3,
      mail: "a@example.com",
      page: "https://example.com",
    });
    expect(await ana.submit()).toEqual({ closed: true });
    expect(ana.modal()).toBeUndefined();
    expect(bodies).toMatchObject([
      {
        type: "view_submission",
        user: { id: ana.user.id },
        team: { id: slack.teamId },
        view: {
          callback_id: "form",
          private_metadata: "vps-1",
          external_id: "draft-1",
          hash: expect.any(String),
          root_view_id: expect.any(String),
          previous_view_id: null,
          state: {
            values: {
              name: { value: { type: "plain_text_input", value: "web-1" } },
              note: { value: { value: null } },
              image: { value: { type: "static_select", selected_option: { value: "alp" } } },
              keys: { value: { selected_options: [{ value: "deb" }] } },
              when: { value: { selected_date: "2026-11-21" } },
              at: { value: { selected_time: "14:30" } },
              who: { value: { selected_user: slack.user("ben").id } },
              where: { value: { selected_conversation: slack.channels.ops?.id } },
              agree: { value: { selected_options: [{ value: "yes" }] } },
              pace: { value: { selected_option: { value: "deb" } } },
              count: { value: { type: "number_input", value: "3" } },
              mail: { value: { value: "a@example.com" } },
              page: { value: { value: "https://example.com" } },
            },
          },
        },
      },
    ]);
  });

  it("Slack's own client stops what is empty or malformed, and nothing is sent", async () => {
    const { slack } = stage;
    await open(
      modal({
        blocks: [
          field("name"),
          field("short", { min_length: 3 }),
          field("long", { max_length: 3 }),
          field("mail", { type: "email_text_input" }),
          field("page", { type: "url_text_input" }),
          field("count", { type: "number_input", is_decimal_allowed: false, max_value: "5" }),
          field("share", { type: "number_input", is_decimal_allowed: true, min_value: "0.5" }),
        ],
      }),
    );
    const ana = slack.as("ana");
    await ana.fill({ short: "ab", long: "abcd", mail: "nobody", page: "nowhere", count: "1.5", share: "0.2" });
    const submitted = await ana.submit();
    expect(submitted).toEqual({
      errors: {
        name: "Please complete this required field.",
        short: "Enter at least 3 characters.",
        long: "Enter at most 3 characters.",
        mail: "Enter a valid email address.",
        page: "Enter a valid URL.",
        count: "Enter a valid number.",
        share: "Enter a number of at least 0.5.",
      },
    });
    expect(slack.deliveries("interactive")).toEqual([]);
  });

  it("errors of the app keep the modal open with what was entered", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack }) => ack({ response_action: "errors", errors: { name: "Taken." } }));
    await open(modal({ blocks: [field("name")] }));
    const ana = slack.as("ana");
    await ana.fill({ name: "web-1" });
    expect(await ana.submit()).toEqual({ errors: { name: "Taken." } });
    expect(ana.modal()?.state.values.name?.value).toMatchObject({ value: "web-1" });
  });

  it("errors for a block that is no input are a fault that the person sees", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack }) => ack({ response_action: "errors", errors: { nowhere: "?" } }));
    await open(modal({ blocks: [section("nothing to fill in", "nowhere")] }));
    await expect(slack.as("ana").submit()).rejects.toMatchObject({ code: "invalid_response" });
    expect(slack.state().violations).toMatchObject([{ method: "view_submission", error: "invalid_response" }]);
  });

  it("an answer with a view over Slack's limits is refused, and the modal stays as it was", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack }) => ack({ response_action: "update", view: modal({ title: plain("x".repeat(25)) }) }));
    await open(modal());
    await expect(slack.as("ana").submit()).rejects.toMatchObject({ code: "invalid_response" });
    expect(slack.as("ana").modal()?.title).toMatchObject({ text: "Form" });
  });

  it("a modal without a button for it cannot be submitted, as one that still loads", async () => {
    const { slack } = stage;
    const { submit: _, ...loading } = modal();
    await open(loading);
    await expect(slack.as("ana").submit()).rejects.toMatchObject({ code: "not_found" });
    expect(slack.as("ana").modal()).toBeDefined();
  });

  it("a submit that is not acknowledged is an error, and what was entered is kept", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack }) => ack());
    await open(modal({ blocks: [field("name")] }));
    const ana = slack.as("ana");
    await ana.fill({ name: "web-1" });
    slack.faults.loseAck();
    await expect(ana.submit()).rejects.toMatchObject({ code: "operation_timeout" });
    expect(ana.modal()?.state.values.name?.value).toMatchObject({ value: "web-1" });
    expect(await ana.submit()).toEqual({ closed: true });
  });

  it("a menu of conversations that asks for it brings a response URL to the one that was chosen", async () => {
    const { app, slack } = stage;
    app.view("form", async ({ ack, respond }) => {
      await ack();
      await respond({ text: "shared", response_type: "in_channel" });
    });
    await open(modal({ blocks: [field("where", { type: "conversations_select", response_url_enabled: true })] }));
    await slack.as("ana").fill({ where: "#random" });
    await slack.as("ana").submit();
    await expect.poll(() => slack.as("ben").sees("#random")).toMatchObject([{ text: "shared" }]);
  });

  it("two submits at once are two payloads", async () => {
    const { slack } = stage;
    const submits = submissionsOf(stage, "form");
    await open(modal());
    await Promise.all([slack.as("ana").submit(), slack.as("ana").submit()]);
    expect(submits).toHaveLength(2);
  });
});

describe("a stack of modals", () => {
  it("holds three, and closes from the top", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack, view }) =>
      ack({
        response_action: "push",
        view: modal({ callback_id: view.previous_view_id ? "third" : "form", title: plain("Next") }),
      }),
    );
    app.view("third", ({ ack }) => ack({ response_action: "push", view: modal() }));
    const root = await open(modal());
    const ana = slack.as("ana");
    await ana.submit();
    await ana.submit();
    const [first, second, third] = ana.modals();
    expect(first?.id).toBe(root);
    expect([second?.root_view_id, third?.root_view_id]).toEqual([root, root]);
    expect(third?.previous_view_id).toBe(second?.id);
    await expect(ana.submit()).rejects.toMatchObject({ code: "invalid_response" });
    await ana.closeModal();
    expect(ana.modals()).toHaveLength(2);
  });

  it("is pushed to by a button in it, and is full at three", async () => {
    const { app, slack } = stage;
    const view = modal({ blocks: [buttons({ action_id: "more" })] });
    app.action("more", async ({ ack, client, body }) => {
      await ack();
      if ("trigger_id" in body) await client.views.push({ trigger_id: body.trigger_id, view });
    });
    app.error(async () => {});
    await open(view);
    for (const count of [1, 2, 3]) {
      await slack.as("ana").press("modal", "more");
      const answered = () => slack.calls("views.push").filter((call) => call.outcome !== "pending").length === count;
      await slack.until(answered, `push ${count}`);
    }
    expect(slack.as("ana").modals()).toHaveLength(3);
    expect(slack.state().violations).toMatchObject([{ method: "views.push", error: "push_limit_reached" }]);
  });

  it("closes as a whole when its view asks for that", async () => {
    const { app, slack } = stage;
    app.view("form", ({ ack }) =>
      ack({ response_action: "push", view: modal({ callback_id: "top", clear_on_close: true }) }),
    );
    await open(modal());
    await slack.as("ana").submit();
    await slack.as("ana").closeModal();
    expect(slack.as("ana").modals()).toEqual([]);
  });

  it("cannot be pushed to by a trigger from elsewhere", async () => {
    await open(modal());
    const pushed = stage.app.client.views.push({ trigger_id: await trigger(), view: modal() });
    expect(await refusalOf(pushed)).toMatchObject({ error: "not_found" });
  });

  it("clears when the app says so, and sends the app a close only where it asked for one", async () => {
    const { app, slack } = stage;
    const closed: unknown[] = [];
    app.view("form", ({ ack }) =>
      ack({ response_action: "push", view: modal({ callback_id: "top", notify_on_close: true }) }),
    );
    app.view({ callback_id: "top", type: "view_closed" }, async ({ ack, body }) => {
      closed.push("is_cleared" in body && body.is_cleared);
      await ack();
    });
    app.view("top", ({ ack }) => ack({ response_action: "clear" }));
    await open(modal());
    const ana = slack.as("ana");
    await ana.submit();
    await ana.closeModal();
    await ana.submit();
    await ana.closeModal({ all: true });
    expect(closed).toEqual([false, true]);
    expect(ana.modals()).toEqual([]);
    await ana.type("/open");
    await slack.until(() => ana.modal());
    await ana.submit();
    expect(await ana.submit()).toEqual({ closed: true });
    expect(ana.modals()).toEqual([]);
  });
});

describe("updating a view", () => {
  it("by id or external id, keeps what was entered where the field stays, and changes the hash", async () => {
    const { app, slack } = stage;
    const view_id = await open(modal({ external_id: "x-1", blocks: [field("name"), field("old")] }));
    const ana = slack.as("ana");
    await ana.fill({ name: "web-1", old: "gone" });
    const before = ana.modal();
    await app.client.views.update({
      external_id: "x-1",
      view: modal({ blocks: [field("name"), field("fresh", { initial_value: "new" })] }),
    });
    const after = ana.modal();
    expect(after?.id).toBe(view_id);
    expect(after?.hash).not.toBe(before?.hash);
    expect(after?.state.values).toMatchObject({
      name: { value: { value: "web-1" } },
      fresh: { value: { value: "new" } },
    });
    expect(after?.state.values).not.toHaveProperty("old");
  });

  it("does not show a new initial value in a field that stays, and drops a choice that is no longer offered", async () => {
    const { app, slack } = stage;
    const menu = (value: string) => field("place", { type: "static_select", options: [{ text: plain(value), value }] });
    const view_id = await open(modal({ blocks: [field("name"), menu("fra")] }));
    await slack.as("ana").fill({ place: "fra" });
    await app.client.views.update({
      view_id,
      view: modal({ blocks: [field("name", { initial_value: "new" }), menu("ams")] }),
    });
    expect(slack.as("ana").modal()?.state.values).toMatchObject({
      name: { value: { value: null } },
      place: { value: { selected_option: null } },
    });
  });

  it("with a hash of before is a conflict", async () => {
    const { app, slack } = stage;
    const view_id = await open(modal());
    const hash = slack.as("ana").modal()?.hash ?? "";
    await app.client.views.update({ view_id, hash, view: modal({ title: plain("One") }) });
    expect(
      await refusalOf(app.client.views.update({ view_id, hash, view: modal({ title: plain("Two") }) })),
    ).toMatchObject({
      error: "hash_conflict",
    });
    expect(slack.state().violations).toEqual([]);
    expect(slack.as("ana").modal()?.title).toMatchObject({ text: "One" });
  });

  it("that was closed in the meantime finds nothing", async () => {
    const { app, slack } = stage;
    const view_id = await open(modal());
    await slack.as("ana").closeModal();
    expect(await refusalOf(app.client.views.update({ view_id, view: modal() }))).toMatchObject({ error: "not_found" });
    expect(slack.state().violations).toEqual([]);
  });

  it("two views cannot have one external id", async () => {
    const { app } = stage;
    const view = modal({ external_id: "x-1" });
    await open(view);
    expect(await refusalOf(app.client.views.open({ trigger_id: await trigger(), view }))).toMatchObject({
      error: "duplicate_external_id",
    });
  });
});

describe("fields that notify the app at once", () => {
  it("send an action with the state of the whole form", async () => {
    const { slack } = stage;
    const bodies = pressesOf(stage, "value");
    await open(modal({ blocks: [field("name"), field("size", {}, { dispatch_action: true })] }));
    await slack.as("ana").fill({ name: "web-1", size: "L" });
    expect(bodies).toMatchObject([
      {
        container: { type: "view" },
        view: { state: { values: { name: { value: { value: "web-1" } }, size: { value: { value: "L" } } } } },
        actions: [{ block_id: "size", type: "plain_text_input", value: "L" }],
      },
    ]);
    expect(bodies[0]).not.toHaveProperty("response_url");
    expect(bodies[0]).not.toHaveProperty("channel");
  });

  it("a typeahead in a form asks the app with the view, and waits for enough letters", async () => {
    const { app, slack } = stage;
    const suggestionRequests: unknown[] = [];
    app.options("value", async ({ ack, body }) => {
      suggestionRequests.push(body);
      await ack({ option_groups: [{ label: plain("EU"), options: [{ text: plain("Frankfurt"), value: "fra" }] }] });
    });
    await open(modal({ blocks: [field("place", { type: "external_select" })] }));
    const ana = slack.as("ana");
    await expect(ana.suggest("modal", "place", "fr")).rejects.toMatchObject({ code: "query_too_short" });
    expect(await ana.suggest("modal", "place", "fra")).toMatchObject([
      { text: "Frankfurt", value: "fra", group: "EU" },
    ]);
    await ana.fill({ place: "Frankfurt" });
    expect(ana.modal()?.state.values.place?.value).toMatchObject({ selected_option: { value: "fra" } });
    expect(suggestionRequests).toMatchObject([{ view: { callback_id: "form" }, value: "fra" }, { value: "Frankfurt" }]);
  });
});

describe("Home", () => {
  it("sends an event when opened, shows what was published, and its buttons carry the view", async () => {
    const { app, slack } = stage;
    const view = { type: "home" as const, blocks: [buttons({ action_id: "go" })] };
    app.event("app_home_opened", async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view });
    });
    const bodies = pressesOf(stage, "go");
    const ana = slack.as("ana");
    expect(ana.home()).toBeUndefined();
    await ana.openHome();
    await slack.until(() => ana.home(), "Home");
    await ana.press("home", "Go");
    expect(bodies).toMatchObject([{ container: { type: "view" }, view: { type: "home", id: ana.home()?.id } }]);
    expect(slack.as("ben").home()).toBeUndefined();
  });

  it("published with a hash of before is a conflict", async () => {
    const { app, slack } = stage;
    const user_id = slack.user("ana").id;
    const view = { type: "home" as const, blocks: [] };
    const { view: first } = await app.client.views.publish({ user_id, view });
    await app.client.views.publish({ user_id, view });
    expect(await refusalOf(app.client.views.publish({ user_id, view, hash: first?.hash ?? "" }))).toMatchObject({
      error: "hash_conflict",
    });
  });
});
