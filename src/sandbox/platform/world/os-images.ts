import { seededId } from "./ids.ts";

/** An operating system image. */
export interface Template {
  id: string;
  name: string;
  is_default: boolean;
}

export const images = {
  debian: { id: seededId("image", "debian"), name: "Debian 13", is_default: true },
  ubuntu: { id: seededId("image", "ubuntu"), name: "Ubuntu 26.04 LTS", is_default: false },
  alma: { id: seededId("image", "alma"), name: "AlmaLinux 10", is_default: false },
  windows: { id: seededId("image", "windows"), name: "Windows Server 2025", is_default: false },
  retired: { id: seededId("image", "retired"), name: "Debian 11 (retired)", is_default: false },
} satisfies Record<string, Template>;
