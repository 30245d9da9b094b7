import type { VpsFigures, VpsSample } from "../../../platform/reseller/stats.ts";
import { type Block, facts } from "../../../views/blocks.ts";
import { type Point, timeCharts } from "../../../views/chart.ts";
import { bytes, figure } from "../../../views/format.ts";
import { count, prose } from "../../../views/text.ts";
import { timeIn } from "../../../views/values.ts";

type Figure = number | null | undefined;

/** An unreadable figure is shown with these words, never as zero. */
const unread = "not readable";

/** "3.2 Mbit/s". */
export function bitRate(value: Figure): string {
  if (value === null || value === undefined) return unread;
  const units = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"];
  const at = Math.min(units.length - 1, value >= 1_000 ? Math.floor(Math.log10(value) / 3) : 0);
  return `${figure(value / 1_000 ** at)} ${units[at] ?? "bit/s"}`;
}

function size(value: Figure): string {
  return value === null || value === undefined ? unread : bytes(value);
}

export function inAndOut(incoming: Figure, outgoing: Figure, words: (value: Figure) => string = size): string {
  return `${words(incoming)} in, ${words(outgoing)} out`;
}

function share(value: Figure, of: string): string | null {
  return value === null || value === undefined ? null : `${figure(value)} % ${of}`;
}

function usage(used: Figure, total: Figure, percentage: Figure): string {
  if (used === null || used === undefined) return share(percentage, "used") ?? unread;
  const whole = total === null || total === undefined ? "" : ` of ${bytes(total)}`;
  return [`${bytes(used)}${whole}`, share(percentage, "used")].filter((part) => part !== null).join(" · ");
}

const sources: Record<string, string> = {
  guest: "as its system tells",
  guest_daily: "as its system told within the day",
  host_rss: "as its host sees it",
};

/** The present usage of a VPS. Disk rates are in bytes a second, network rates in bits. Reseller spec section 2.4. */
export function vpsFacts({ status, cpu, memory, disk, network }: VpsFigures): Block[] {
  const by = (source: string | null | undefined) => (source ? ` (${sources[source] ?? prose(source, 60)})` : "");
  const cores = typeof cpu?.cores === "number" ? count(cpu.cores, "core") : null;
  const rows: [string, string | null][] = [
    ["State", status ? prose(status, 60) : null],
    ["CPU", cpu ? [share(cpu.usage, "of the whole") ?? unread, cores].filter((part) => part).join(" · ") : null],
    ["Memory", memory ? `${usage(memory.used, memory.total, memory.percentage)}${by(memory.source)}` : null],
    ["Disk in use", disk ? `${usage(disk.used, disk.total, disk.percentage)}${by(disk.source)}` : null],
    ["Disk bought", typeof disk?.allocated === "number" ? bytes(disk.allocated) : null],
    ["Disk", disk ? `${size(disk.read_bps)}/s read, ${size(disk.write_bps)}/s written` : null],
    ["Network", network ? inAndOut(network.rx_bps, network.tx_bps, bitRate) : null],
    ["Since its last boot", network ? inAndOut(network.netin_bytes, network.netout_bytes) : null],
    ["This month", network ? inAndOut(network.month_netin_bytes, network.month_netout_bytes) : null],
  ];
  return facts(rows.flatMap(([label, value]) => (value ? [{ label, value }] : [])));
}

/** Charts of a VPS's usage; none where there are no samples. */
export function vpsCharts(samples: VpsSample[]): Block[] {
  const over = (read: (sample: VpsSample) => Figure): Point[] =>
    samples.flatMap((sample) => {
      const at = timeIn("t", sample.t);
      return at === null ? [] : [{ at, value: read(sample) ?? null }];
    });
  return [
    ...timeCharts("CPU", [{ name: "CPU", points: over((one) => one.cpu_pct) }], "%"),
    ...timeCharts("Memory", [{ name: "Memory", points: over((one) => one.mem_used_bytes) }], "B"),
    ...timeCharts(
      "Network",
      [
        { name: "in", points: over((one) => one.net_rx_bps) },
        { name: "out", points: over((one) => one.net_tx_bps) },
      ],
      "bit/s",
    ),
    ...timeCharts("Disk, read per second", [{ name: "Read", points: over((one) => one.disk_rd_bps) }], "B"),
  ];
}
