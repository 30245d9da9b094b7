/** Cases that once failed, by their names: each of them is tried in the suite. */
export const kept: readonly string[] = [
  "silent | vps show | customer GET /vps | data.*.id missing",
  "silent | vps show | customer GET /vps | data.*.name null",
  "silent | vps list | customer GET /vps | data.*.id missing",
  "writes | reseller game file write | reseller POST /services/{id}/game/files/{op} | a deep refusal",
  "silent | reseller service options | reseller GET /services/{serviceId}/options | data.available null",
  "silent | reseller service upgrades | reseller GET /services/{serviceId}/upgrades | data.available null",
  "silent | reseller service terminate | reseller GET /services/{serviceId} | data.externalCustomerId missing",
  "silent | reseller service terminate | reseller GET /services/{serviceId} | data.productName missing",
  "silent | reseller service terminate | reseller GET /services/{serviceId} | data.serverIp missing",
];
