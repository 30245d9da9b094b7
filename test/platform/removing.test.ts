import { expect, test } from "vitest";
import { endpoints } from "./endpoints.ts";

/**
 * The routes that write and take nothing away, whatever is sent: written here from the specs, and not from the app. A value that is
 * replaced or cleared can be set again, and what is switched off or withdrawn can be had again.
 */
const keeping = {
  customer: [
    // Projects and names: nothing of the resource itself changes.
    ...[
      "PATCH /services/{id}",
      "PATCH /vps/{id}",
      "POST /projects",
      "PATCH /projects/{id}",
      "POST /projects/{id}/move",
    ],
    ...["POST /services/{id}/power/{action}", "POST /services/{id}/game/power/{action}", "POST /vps/{id}/start"],
    ...["POST /vps/{id}/stop", "POST /vps/{id}/reboot"],
    ...["POST /vps/{id}/power/{action}", "POST /dedicated/{id}/power"],
    // Only that of a dedicated server erases anything (section 4.4).
    "POST /vps/{id}/password",
    // They add something.
    ...[
      "POST /services/{id}/backups",
      "POST /vps/{id}/capture",
      "POST /vps/{id}/snapshots",
      "POST /services/{id}/options",
    ],
    ...["POST /orders", "POST /ssh-keys", "POST /custom-images"],
    // Of a document, or of an act that has not taken effect yet.
    ...["POST /services/{id}/renew", "DELETE /services/{id}/cancel", "POST /upgrades/{upgradeId}/cancel"],
  ],
  reseller: [
    ...[
      "POST /services/{serviceId}/power",
      "POST /services/{serviceId}/suspend",
      "POST /services/{serviceId}/unsuspend",
    ],
    ...["POST /services/{serviceId}/rescue", "POST /services/{serviceId}/unrescue"],
    ...["POST /orders", "POST /services/{serviceId}/capture", "POST /services/{serviceId}/backups"],
    ...["POST /services/{serviceId}/ssh-keys", "POST /customers", "POST /webhooks/test"],
    // Access that its holder can be given again.
    ...["POST /services/{serviceId}/console-session", "POST /services/{serviceId}/console-cast"],
    "DELETE /services/{serviceId}/console-cast/{castId}",
    // Values.
    ...["PUT /services/{serviceId}/rdns", "PUT /payment-methods/{methodId}/default"],
    ...["PATCH /services/{id}/game/vars", "PATCH /services/{id}/game/backups", "PATCH /services/{id}/game/schedules"],
    "PATCH /services/{id}/game/backups/{gameBackupId}",
    "PATCH /services/{id}/game/schedules/{scheduleId}",
    // Reversible acts, as section 5 calls those of the game module under this scope. One route has all acts on files.
    ...["POST /services/{id}/game/power/{action}", "POST /services/{id}/game/console"],
    ...["POST /services/{id}/game/files/{op}", "POST /services/{id}/game/sftp/rotate"],
    ...["POST /services/{id}/game/backups", "POST /services/{id}/game/schedules", "POST /services/{id}/game/mods"],
    ...["POST /services/{id}/game/schedules/{scheduleId}/run", "POST /services/{id}/game/mods/upload"],
  ],
};

test.each(["customer", "reseller"] as const)(
  "each endpoint of the %s API that can take something away is declared so",
  (api) => {
    const writing = endpoints[api].filter(({ route }) => !route.startsWith("GET "));
    const taking = writing.filter(({ removes, scope }) => removes || scope === "destructive");
    const routes = new Set(writing.map(({ route }) => route));
    const known = [...keeping[api], ...taking.map(({ route }) => route)].sort();
    expect(known, "an endpoint that writes is in `keeping` here, or declares `removes`").toEqual([...routes].sort());
  },
);
