import type { CustomImage } from "../world/custom-image.ts";
import { seededId } from "../world/ids.ts";
import type { World } from "../world/world.ts";

const GiB = 1024 ** 3;

export function seedImages(world: World, holder: string): void {
  image(world, holder, "golden-web", "production", { size_bytes: 4 * GiB, virtual_size_bytes: 25 * GiB }, 50);
  image(world, holder, "legacy-import", "default", external(), 40);
  image(world, holder, "huge-disk", "default", { size_bytes: 90 * GiB, virtual_size_bytes: 400 * GiB }, 30);
  image(world, holder, "crowded-node", "default", { virtual_size_bytes: 10 * GiB, node_full: true }, 20);
  image(world, holder, "broken-capture", "staging", broken(), 10);
}

function external(): Partial<CustomImage> {
  return {
    source_kind: "external",
    source_url: "https://images.example.test/legacy.qcow2",
    source_sha256: "ab".repeat(32),
    size_bytes: 2 * GiB,
    virtual_size_bytes: 20 * GiB,
  };
}

function broken(): Partial<CustomImage> {
  return { status: "error", error: "The disk could not be read to its end", available_at: null };
}

function image(
  world: World,
  holder: string,
  name: string,
  project: string,
  overrides: Partial<CustomImage>,
  age: number,
): void {
  const created = new Date(world.clock.now() - age * 86_400_000).toISOString();
  const id = seededId("custom-image", holder, name);
  world.customImages.set(id, {
    id,
    holder,
    project_id: seededId("project", holder, project),
    name,
    description: null,
    source_kind: "capture",
    status: "available",
    size_bytes: null,
    virtual_size_bytes: null,
    source_url: null,
    source_sha256: null,
    os_family: "linux",
    error: null,
    available_at: created,
    created_at: created,
    node_full: false,
    ...overrides,
  });
}
