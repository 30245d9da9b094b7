/** Seeds that are kept, each with what it once found: on the code of that day, and of the simulation. */
export const corpus: readonly { seed: number; found: string }[] = [
  {
    seed: 5_004,
    found: "The name index went on reading with the key of a member who had unlinked it, for half an hour.",
  },
  {
    seed: 91_008,
    found: "A release that came after the next suspension stood in the alert as the present state, without a doubt.",
  },
  {
    seed: 6_101_700,
    found:
      "An alert was posted twice: after a crash the clock was set back, so that it seemed to be begun by this process.",
  },
  {
    seed: 900_026,
    found: "A snapshot that was taken was told as failed, since the next one of the same machine had begun.",
  },
];

/** Seeds that together reach every state of a request, every kind of fault and every kind of deed; most of them twice. */
export const covering: readonly number[] = [
  ...[7026, 7035, 7010, 7004, 7046, 7018, 7024, 7005, 7007],
  ...[7017, 7033, 7012, 7037, 7042, 7006, 7020, 7021, 7027],
];
