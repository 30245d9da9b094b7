import type { Vps } from "../../platform/customer/vps.ts";
import { code } from "../../views/text.ts";

/**
 * The login command as a line to copy. `opens` names the secret: "the password that was set". Null while the VPS has no address.
 */
export function loginLine({ primary_ip, ip_addresses, instance }: Vps, opens: string): string | null {
  const address = primary_ip ?? ip_addresses[0]?.address;
  if (!address) return null;
  if (/windows/i.test(instance?.os ?? "")) return `Log in by remote desktop at ${code(address)} with ${opens}.`;
  return `Log in with ${code(`ssh root@${address}`)} and ${opens}.`;
}
