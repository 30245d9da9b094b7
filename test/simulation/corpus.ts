/** Seeds that are kept, each with what it once found: on the code of that day, and of the simulation. */
export const corpus: readonly { seed: number; found: string }[] = [
  {
    seed: 31_203,
    found:
      "The app died within a second of a post, and its clock was set back: the next process posted the same once more.",
  },
];

/** Seeds that together reach every state of a request and every kind of fault. */
export const covering: readonly number[] = [31_048, 31_078, 31_321, 31_002, 31_097, 31_011];
