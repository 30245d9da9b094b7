import type { Vps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";

/** How to get in, as a line to copy; `opens` says what opens it: "the password that was set". Null while it has no address. */
export function wayIn({ primary_ip, ip_addresses, instance }: Vps, opens: string): string | null {
  const address = primary_ip ?? ip_addresses[0]?.address;
  if (!address) return null;
  if (/windows/i.test(instance?.os ?? "")) return `Log in by remote desktop at ${code(address)} with ${opens}.`;
  return `Log in with ${code(`ssh root@${address}`)} and ${opens}.`;
}
