import type { Story } from "./story.ts";

/** Renames the machine in the panel to `db-9`, and gives its name to another one. */
export function passNameOn({ platform }: Pick<Story, "platform">, name: string, other: string): void {
  const [first, second] = [platform.findVps(name), platform.findVps(other)];
  platform.change(first.id, { name: "db-9", hostname: "db-9.example.test" });
  platform.change(second.id, { name, hostname: first.hostname });
}
