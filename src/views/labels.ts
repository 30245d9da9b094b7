import { ownValue } from "../process/own-value.ts";
import { capital, lowerFirst } from "./text.ts";

/** Abbreviations in capitals, or with a spelling of their own. */
const written: Record<string, string> = Object.fromEntries(
  [
    "ID IP IPs IPv4 IPv6 CPU CPUs RAM OS URL URI VAT DNS SSH SSL TLS MAC",
    "API UUID VPS VM vCPU vCPUs HDD SSD NVMe RAID CIDR VLAN ASN IPMI BIOS",
    "RX TX IO IOPS ISO SKU FQDN HTTP HTTPS FTP SFTP rDNS PTR BGP KVM GPU",
  ].flatMap((words) => words.split(" ").map((word) => [word.toLowerCase(), word])),
);

/** The units in the endings of keys. */
const units: Record<string, string> = {
  bytes: "B",
  kb: "KB",
  mb: "MB",
  gb: "GB",
  tb: "TB",
  kib: "KiB",
  mib: "MiB",
  gib: "GiB",
  tib: "TiB",
  percent: "%",
  percentage: "%",
  pct: "%",
  bps: "bit/s",
  kbps: "kbit/s",
  mbps: "Mbit/s",
  gbps: "Gbit/s",
  mhz: "MHz",
  ghz: "GHz",
  ms: "ms",
  seconds: "s",
  secs: "s",
  minutes: "min",
  hours: "h",
  days: "days",
  watts: "W",
  celsius: "°C",
};

/** A key as a label, with the unit of its ending, if any: "ram_gb" is "RAM" in "GB", "nextDueDate" is "Next due date". */
export function labelled(key: string): { label: string; unit: string } {
  const words = key
    .replaceAll(/(?<=[a-z\d])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])/g, " ")
    .split(/[\s_.-]+/)
    .filter((word) => word !== "");
  const last = words.at(-1)?.toLowerCase() ?? "";
  const unit = words.length > 1 ? (ownValue(units, last) ?? "") : "";
  const named = unit === "" ? words : words.slice(0, -1);
  const text = named.map(wordOf).join(" ");
  return {
    label: text === "" ? key : capital(text).replace(/^VCPU/, "vCPU"),
    unit,
  };
}

/** A label that follows other words: "next due date", and "VAT" as it is. */
export function withinLine(label: string): string {
  return /^[A-Z][a-z ]/.test(label) ? lowerFirst(label) : label;
}

function wordOf(word: string): string {
  const lower = word.toLowerCase();
  return ownValue(written, lower) ?? lower;
}
