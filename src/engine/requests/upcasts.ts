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

const Second = z.looseObject({});

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
  2: (older: unknown) => ({ reason: "", originator: null, remindedAt: null, ...Second.parse(older) }),
};
