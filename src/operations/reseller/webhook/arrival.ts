import type { ExpectedEvents } from "../../../operation/operation.ts";

/** Waits for the supplier's test event: only a received event proves that webhooks reach this app. */
export const arrival: ExpectedEvents = {
  first: ["webhook.test"],
  awaited: {
    waits: "I wait for the test event here. The supplier sends about once a minute.",
    came: "The test event arrived: the supplier's events reach this app.",
    missing:
      "No test event arrived here in 5 min. Look whether the address is this app's, whether it can be reached from outside, and whether what stands before it passes everything on as it is. `/rackbell connect check` tells more.",
  },
};
