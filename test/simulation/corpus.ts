/** The stored seeds, each with its finding at the time, in that day's code and simulation. */
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
    found: "A message called a snapshot that was taken failed, since the next one of the same machine had begun.",
  },
  {
    seed: 50_000_246,
    found: "The same, where the next one began after the app had been down for longer than a snapshot may be busy.",
  },
  {
    seed: 50_000_572,
    found: "A bulk request that had ended said for ever that the outcome of one of its machines was being checked.",
  },
  {
    seed: 50_002_352,
    found: "A command that the store could not take, since its thread had just died, was lost with the app soon after.",
  },
  {
    seed: 50_020_892,
    found: "The list of open requests named no host, so a member pressed one of two orders of the same plan unseen.",
  },
  {
    seed: 90_002_115,
    found:
      "A message in a channel was not posted, since its requester's direct messages, where it might be, were gone.",
  },
  {
    seed: 100_006_509,
    found: "A suspension that both APIs showed to two readers at the same moment stood in a digest twice.",
  },
  {
    seed: 910_000_297,
    found: "A request that Slack took at its second try had names in place of its mentions, and notified nobody.",
  },
];

/** Seeds that reach, with the scenes and the seeds above, every state of a request, every kind of fault and every kind of action, twice where it can be. */
export const covering: readonly number[] = [
  7033, 7035, 7024, 7020, 7012, 7006, 7018, 7007, 7004, 7026, 7037, 7043, 7049, 7056,
];
