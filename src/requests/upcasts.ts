import * as z from "zod";
import { upcastFacts } from "./preconditions.ts";

/** The keys of version 1 that have other names now. */
const VersionOne = z.looseObject({
  state: z.string(),
  words: z.string(),
  loss: z.string(),
  verb: z.string(),
  id: z.string(),
  createdAt: z.number(),
});

const OlderVersion = z.looseObject({});
const VersionThree = z.looseObject({ mode: z.string(), risk: z.string() });
const VersionFive = z.looseObject({ material: z.unknown() });

/** Upgrades records of older versions, by their version. */
export const upcasts = {
  1: (older: unknown) => {
    const { words, loss, state, verb, ...first } = VersionOne.parse(older);
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
  2: (older: unknown) => ({ reason: "", originator: null, remindedAt: null, ...OlderVersion.parse(older) }),
  3: (older: unknown) => {
    const third = VersionThree.parse(older);
    const needed = third.mode === "peer" ? 1 : 0;
    const none = { approvals: [], rule: null, breakable: false, glass: null };
    return { needed, ...none, price: third.risk === "spend" ? "unknown" : null, ...third };
  },
  4: (older: unknown) => ({ copy: null, ...OlderVersion.parse(older) }),
  5: (older: unknown) => {
    const { material, ...fifth } = VersionFive.parse(older);
    return { ...fifth, preconditions: upcastFacts(material) };
  },
};
