import { expect, test } from "vitest";
import { at, createPractice, listAt, refusal, success, textAt } from "../../client.ts";

const blob = Buffer.from("a practice key that opens nothing at all").toString("base64");

test("an SSH key loses its comment, has a fingerprint, and is stored once", async () => {
  const { ask } = await createPractice();
  const body = { name: "new laptop", public_key: `ssh-ed25519 ${blob} me@laptop` };
  const added = await ask("POST /ssh-keys", { body });
  expect(added).toMatchObject(
    success({ public_key: `ssh-ed25519 ${blob}`, fingerprint: expect.stringMatching(/^SHA256:/) }, 201),
  );
  expect(await ask("POST /ssh-keys", { body })).toMatchObject(refusal(409, "CONFLICT"));
  expect(await ask(`DELETE /ssh-keys/${textAt(added, "data.id")}`)).toMatchObject({ status: 200 });
  expect(await ask(`DELETE /ssh-keys/${textAt(added, "data.id")}`)).toMatchObject(refusal(404, "NOT_FOUND"));
});

const image = { name: "mine", sourceUrl: "https://images.example.test/a.qcow2", sha256: "0a".repeat(32) };

test("an image is registered, newest first, and removed", async () => {
  const { ask } = await createPractice();
  const added = await ask("POST /custom-images", { body: image });
  expect(added).toMatchObject(
    success({ source_kind: "external", status: "available", os_family: "linux", source_url: image.sourceUrl }, 201),
  );
  expect(at(await ask("GET /custom-images"), "data.0.name")).toBe("mine");
  expect(await ask("POST /custom-images", { body: image })).toMatchObject(refusal(409, "CONFLICT"));
  expect(await ask("POST /custom-images", { body: { ...image, projectId: "staging" } })).toMatchObject({ status: 201 });
  expect(await ask(`DELETE /custom-images/${textAt(added, "data.id")}`)).toMatchObject({ status: 200 });
});

test("a project is made, named anew, and found by its slug", async () => {
  const { ask } = await createPractice();
  const made = await ask("POST /projects", { body: { name: "Größe & Co", color: "teal" } });
  expect(made).toMatchObject(success({ is_default: false, resources: { services: 0 } }, 201));
  const id = textAt(made, "data.id");
  const slugs = listAt(await ask("GET /projects"), "data").map((row) => Object(row).slug);
  expect(slugs).toEqual(["default", "production", "staging", "empty", "gro-e-co"]);
  expect(await ask(`PATCH /projects/${id}`, { body: { slug: "co" } })).toMatchObject(success({ slug: "co" }));
  expect(await ask("GET /vps", { headers: { "x-project-id": "co" } })).toMatchObject(success([]));
});

test("a project tells what it holds, the default one everything that was never assigned", async () => {
  const { ask, platform } = await createPractice();
  expect(await ask(`GET /projects/${platform.projectId("empty")}`)).toMatchObject(
    success({ slug: "empty", resources: { services: 0, orders: 0, custom_images: 0, ssh_keys: 0 } }),
  );
  const answer = await ask(`GET /projects/${platform.projectId("default")}`);
  expect(answer).toMatchObject(success({ is_default: true, resources: { ssh_keys: 2 } }));
  expect(at(answer, "data.resources.services")).toBeGreaterThan(10);
});

test("a project that holds something is deleted only with an heir, and its keys stop working", async () => {
  const { ask, platform } = await createPractice();
  const production = platform.projectId("production");
  const refused = await ask(`DELETE /projects/${production}`);
  expect(refused).toMatchObject(refusal(409, "CONFLICT"));
  expect(textAt(refused, "error")).toMatch(/\d+/);
  expect(await ask(`DELETE /projects/${production}?reassignTo=staging`)).toMatchObject({ status: 200 });
  expect(platform.find("web-1").project_id).toBe(platform.projectId("staging"));
  expect(await ask("GET /vps/{web-1}", { as: "bound" })).toMatchObject(refusal(401, "UNAUTHORIZED"));
  expect(await ask(`DELETE /projects/${platform.projectId("empty")}`)).toMatchObject({ status: 200 });
});

test("things are moved, and what could not be found is said", async () => {
  const { ask, platform, id } = await createPractice();
  const path = `POST /projects/${platform.projectId("empty")}/move`;
  const missing = "00000000-0000-4000-a000-000000000000";
  const sshKeys = [textAt(await ask("GET /ssh-keys"), "data.0.id")];
  expect(await ask(path, { body: { services: [id("web-1"), id("outsider-1"), missing], sshKeys } })).toMatchObject(
    success({ moved: { services: 1, ssh_keys: 1 }, skipped: [id("outsider-1"), missing] }),
  );
});
