import { expect, test } from "vitest";
import { listDedicatedImages } from "../../../src/operations/dedicated/reinstall.ts";
import { connect, ok, startServer } from "../../platform/server.ts";

const debian = { value: "d13", label: "Debian 13" };

test.each<[string, unknown]>([
  ["rows with id and name", [{ id: "d13", name: "Debian 13" }]],
  ["rows under any field", { templates: [{ id: "d13", name: "Debian 13" }] }],
  ["rows with uuid and label", { images: [{ uuid: "d13", label: "Debian 13", family: "linux" }] }],
  ["rows with slug and title", { data: [{ slug: "d13", title: "Debian 13" }] }],
  ["a map of ids to names", { images: { d13: "Debian 13" } }],
  ["a map of ids to rows", { images: { d13: { name: "Debian 13", family: "linux" } } }],
  ["rows with an id and a name of its own", [{ osImageId: "d13", title: "Debian 13", family: "linux" }]],
  ["rows in snake case", { images: [{ os_image_id: "d13", display_name: "Debian 13" }] }],
  ["a map to rows with an id of its own", { images: { 1: { templateId: "d13", osName: "Debian 13" } } }],
  ["rows beside a default", { default_image_id: "d13", images: [{ id: "d13", name: "Debian 13" }] }],
  ["groups of rows", { linux: [{ id: "d13", name: "Debian 13" }], windows: [] }],
])("systems can be chosen from %s", async (_, payload) => {
  const server = await startServer((response) => ok(payload)(response));
  expect(await listDedicatedImages(connect(server.url).client, "s1")).toEqual([debian]);
});

test("numbers are ids as well, plain names stand for themselves, and what has neither is nothing to choose", async () => {
  const answers: unknown[] = [
    [{ title: "Debian 13", version: "13" }],
    [{ id: 7, name: "Debian 13" }],
    ["Debian 13"],
    { images: [{ os: 7.5 }] },
    null,
  ];
  const server = await startServer((response) => ok(answers.shift())(response));
  const client = connect(server.url).client;
  expect(await listDedicatedImages(client, "s1")).toEqual([]);
  expect(await listDedicatedImages(client, "s1")).toEqual([{ value: "7", label: "Debian 13" }]);
  expect(await listDedicatedImages(client, "s1")).toEqual([{ value: "Debian 13", label: "Debian 13" }]);
  expect(await listDedicatedImages(client, "s1")).toEqual([]);
  expect(await listDedicatedImages(client, "s1")).toEqual([]);
});
