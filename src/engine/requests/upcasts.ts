import * as z from "zod";

/** What version 1 kept that is called otherwise by now. */
const First = z.looseObject({
  state: z.string(),
  words: z.string(),
  loss: z.string(),
  verb: z.string(),
  id: z.string(),
  createdAt: z.number(),
});

const Older = z.looseObject({});
const Third = z.looseObject({ mode: z.string(), risk: z.string() });

/** How older requests become what would be written now. */
export const upcasts = {
  1: (older: unknown) => {
    const { words, loss, state, verb, ...first } = First.parse(older);
    return {
      api: "customer",
      ...first,
      verb,
      state: state === "discarded" ? "withdrawn" : state,
      outcome: words,
      consequence: loss,
      press: verb,
      back: "Not now",
      channel: null,
      notice: null,
      mention: null,
      changedAt: first.createdAt,
      instance: null,
      attemptedAt: null,
      next: [],
      secret: null,
      job: null,
    };
  },
  2: (older: unknown) => ({ reason: "", originator: null, remindedAt: null, ...Older.parse(older) }),
  3: (older: unknown) => {
    const third = Third.parse(older);
    const needed = third.mode === "peer" ? 1 : 0;
    const none = { approvals: [], rule: null, breakable: false, glass: null, within: null };
    return { needed, ...none, price: third.risk === "spend" ? "unknown" : null, ...third };
  },
  4: (older: unknown) => ({ copy: null, ...Older.parse(older) }),
};
