import { expect, test } from "vitest";
import { connection } from "../../src/sandbox/connection.ts";
import { setStage } from "./slack/app.ts";

test("each trouble of the connection says in a sentence what came of it, and its opposite ends it", async () => {
  const stage = await setStage("socket");
  const { slack } = stage;
  stage.app.command("/vps", ({ ack }) => ack());
  const all = connection(slack);
  const press = (id: string) => all.find((one) => one.id === id)?.press();
  const type = () =>
    slack
      .as("ana")
      .type("/vps list")
      .then(
        () => "answered",
        () => "lost",
      );
  const outcomes = async () => [await type(), await type()].sort();
  expect(press("ghost")).toMatch(/^[A-Z].*\.$/);
  expect(await outcomes()).toEqual(["answered", "lost"]);
  expect(press("no-ghost")).toMatch(/^[A-Z].*\.$/);
  expect(await outcomes()).toEqual(["answered", "answered"]);
  expect(press("deaf")).toMatch(/^[A-Z].*\.$/);
  expect(await outcomes()).toEqual(["lost", "lost"]);
  expect(press("refresh")).toMatch(/^[A-Z].*\.$/);
  await slack.until(() => slack.calls("apps.connections.open").length === 2, "the next connection");
  await expect.poll(type).toBe("answered");
});
