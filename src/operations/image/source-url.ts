import { BlockList, isIP } from "node:net";

const hidden = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  hidden.addSubnet(net, prefix, "ipv4");
}
hidden.addAddress("::1", "ipv6");
hidden.addSubnet("fc00::", 7, "ipv6");
hidden.addSubnet("fe80::", 10, "ipv6");

/**
 * The fault in an image's address, as the end of a sentence; null if there is none. The platform itself checks the address that
 * the name resolves to.
 */
export function sourceUrlFault(text: string): string | null {
  if (!URL.canParse(text)) return "it must be a whole address, such as https://images.example.com/debian.qcow2.";
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== "https:") return "it must begin with https://.";
  if (username !== "" || password !== "")
    return "it must hold no user name and no password. Change that password: it was seen here.";
  if (isHidden(hostname)) return "its host must be one that can be reached from the internet, not a private one.";
  return null;
}

function isHidden(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return hidden.check(host, version === 4 ? "ipv4" : "ipv6");
}
