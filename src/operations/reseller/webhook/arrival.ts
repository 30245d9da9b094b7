import type { Expected } from "../../../operation/operation.ts";

/** That the supplier's events reach this app is proven by one of theirs, and by nothing else. */
export const arrival: Expected = {
  first: ["webhook.test"],
  awaited: {
    waits: "I wait for the test event here. The supplier sends about once a minute.",
    came: "The test event arrived: the supplier's events reach this app.",
    missing:
      "No test event arrived here in 5 min. Look whether the address is this app's, whether it can be reached from outside, and whether what stands before it passes everything on as it is. `/rackbell connect check` tells more.",
  },
};
