import { billOf } from "./ordering.ts";
import type { Story } from "./story.ts";

/** A resource of the practice platform that a command can be about. */
export function targetOf({ platform }: Pick<Story, "platform">, command: string): string {
  const nouns: [string, string][] = [
    ["billing", String(billOf({ platform }, "Renewal of web-2").number)],
    ["project", "production"],
    ["dedicated", "metal-1"],
    ["game", "arena-1"],
    ["catalog", "VPS S"],
    ["image", "golden-web"],
    ["service restore", "mail"],
    ["service upgrade", "web-2"],
    ["reseller order", "RES-1000"],
    ["reseller service transit", "ACME-002"],
    ["reseller service sshkey", "BOR-002"],
    ["reseller service rdns", "BOR-002"],
    ["reseller game", "BOR-003"],
    ["reseller customer", "acme-bakery"],
    ["reseller service", "ACME-001"],
    ["", "web-1"],
  ];
  return nouns.find(([noun]) => command.startsWith(noun))?.[1] ?? "";
}
