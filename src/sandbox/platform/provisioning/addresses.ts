import type { IpAddress } from "../world/service.ts";
import type { World } from "../world/world.ts";

/** The ranges that are kept for documentation, and when they are used up the one for benchmarks. */
const documentation = ["192.0.2", "198.51.100", "203.0.113"];
const hostsPerNet = 250;

/** An address that nothing on the platform has or had. */
export function newIpv4(world: World): IpAddress {
  const index = world.takenAddresses++;
  const net = netOf(Math.floor(index / hostsPerNet));
  return {
    address: `${net}.${(index % hostsPerNet) + 2}`,
    version: 4,
    prefix_length: 24,
    gateway: `${net}.1`,
    subnet_cidr: `${net}.0/24`,
    purpose: "primary",
  };
}

export function newIpv6(world: World): IpAddress {
  return {
    address: `2001:db8:0:${(world.takenAddresses++).toString(16)}::2`,
    version: 6,
    prefix_length: 64,
    gateway: null,
    subnet_cidr: null,
    purpose: "primary",
  };
}

/** 198.18.0.0/15 has 512 of them. */
function netOf(index: number): string {
  const further = index - documentation.length;
  return documentation[index] ?? `198.${18 + Math.floor(further / 256)}.${further % 256}`;
}
