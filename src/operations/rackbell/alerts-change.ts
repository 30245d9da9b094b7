import * as z from "zod";
import type { Subscription } from "../../alerts/subscriptions.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { InputError } from "../../operation/errors.ts";
import { eventsField, mentionField } from "./alert-filter.ts";
import { channelOf, mentionOf } from "./alerting.ts";
import { subscriptionLine } from "./alerts.ts";
import { unreadProducts } from "./alerts-reading.ts";
import { requireAdmin } from "./connecting.ts";

const allStep = { label: "All channels", command: "rackbell alerts" };
const clears = "none";

/** Empty leaves a value unchanged; the word "none" clears it. */
const changedWords = z.array(z.string().max(200)).max(20).optional();

export const alertsChange = defineAppOperation({
  command: "rackbell alerts change",
  summary:
    "For admins: change what a channel is told of, by the id that /rackbell alerts shows; what is not given stays",
  verb: "Change",
  input: z.object({
    id: z.string().meta({ title: "Id", description: "As /rackbell alerts shows it" }),
    events: eventsField(clears).meta({ title: "Events", description: "Empty: as they are; none: all" }),
    not: eventsField(clears).meta({
      title: "But not these events",
      description: "Empty: as it is; none: no such",
    }),
    about: changedWords.meta({ title: "About", description: "Empty: as it is; none: whatever it is about" }),
    except: changedWords.meta({ title: "But not about", description: "Empty: as it is; none: no such" }),
    product: changedWords.meta({ title: "Products", description: "Empty: as it is; none: any product" }),
    "except-product": changedWords.meta({
      title: "But not these products",
      description: "Empty: as it is; none: no such",
    }),
    mention: mentionField.meta({
      title: "Mention",
      description: "Empty: as it is. By the command also a user group, or nobody: mention=none",
      format: "person",
    }),
  }),
  positional: "id",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const mention = input.mention && input.mention !== clears ? mentionOf(input.mention) : null;
    const id = input.id.trim();
    const change = (one: Subscription): Subscription => ({
      ...one,
      events: listOf(input.events, one.events),
      notEvents: listOf(input.not, one.notEvents),
      about: listOf(input.about, one.about),
      notAbout: listOf(input.except, one.notAbout),
      products: listOf(input.product, one.products),
      notProducts: listOf(input["except-product"], one.notProducts),
      mention: input.mention ? mention : one.mention,
    });
    const after = await context.alerts.change((now) => ({
      ...now,
      subscriptions: now.subscriptions.map((one) => (one.id === id ? change(one) : one)),
    }));
    const found = after.subscriptions.find((one) => one.id === id);
    if (!found)
      throw new InputError([{ field: "id", message: "There is no such one. `/rackbell alerts` shows them." }]);
    return { text: `From now on: ${subscriptionLine(found)}.${await unreadProducts(context, found)}`, next: [allStep] };
  },
});

export const alertsTest = defineAppOperation({
  command: "rackbell alerts test",
  summary: "For admins: post a test to a channel, in the way in which alerts reach it",
  verb: "Test",
  input: z.object({ channel: z.string().meta({ title: "Channel", format: "channel" }) }),
  positional: "channel",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const channel = await channelOf(context, input.channel);
    const { subscriptions } = await context.alerts.read();
    const own = subscriptions.filter((one) => one.channel === channel);
    const mentions = new Set(own.flatMap(({ mention }) => mention ?? []));
    await context.alerts.test({ channel, by: actor.slackUser, mention: [...mentions].join(" ") || null });
    const told = own.length === 0 ? ` As it is, <#${channel}> is told of nothing.` : "";
    return { text: `A test is on its way to <#${channel}>.${told}`, next: [allStep] };
  },
});

function isNone(given: string[] | undefined): boolean {
  return given?.length === 1 && given[0] === clears;
}

function listOf(given: string[] | undefined, before: string[]): string[] {
  if (given === undefined || given.length === 0) return before;
  return isNone(given) ? [] : given;
}
