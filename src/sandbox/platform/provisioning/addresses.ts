import type { IpAddress } from "../world/service.ts";

/** Addresses come from the ranges that are kept for documentation. */
export function ipv4(index: number): IpAddress {
  const net = ["192.0.2", "198.51.100", "203.0.113"][Math.floor(index / 250) % 3] ?? "192.0.2";
  return {
    address: `${net}.${(index % 250) + 2}`,
    version: 4,
    prefix_length: 24,
    gateway: `${net}.1`,
    subnet_cidr: `${net}.0/24`,
    purpose: "primary",
  };
}

export function ipv6(index: number): IpAddress {
  return {
    address: `2001:db8:0:${index.toString(16)}::2`,
    version: 6,
    prefix_length: 64,
    gateway: null,
    subnet_cidr: null,
    purpose: "primary",
  };
}
