import { BlockList, isIP } from "node:net";

const inside = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  inside.addSubnet(net, prefix);
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  inside.addSubnet(net, prefix, "ipv6");
}

/** Neither loopback nor private, by its form: no name is resolved here. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  if (family !== 0) return !inside.check(host, family === 6 ? "ipv6" : "ipv4");
  return host.includes(".") && !/(^|\.)(localhost|local|internal|lan)\.?$/i.test(host);
}
