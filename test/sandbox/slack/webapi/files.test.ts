import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openForAna, plain, refusalOf, type Stage, setStage } from "../app.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage("socket", ["chat:write", "im:write", "files:write", "files:read"]);
});

const announced = (length: number) => ({ filename: "a.txt", length });

describe("files", () => {
  it("an upload arrives in the channel with its comment and its content", async () => {
    const { app, slack } = stage;
    const channel_id = slack.channels.ops?.id ?? "";
    const content = `id,name\r\n1,"ü"\r\n--x\r\n`;
    await app.client.filesUploadV2({
      channel_id,
      content,
      filename: "audit.csv",
      title: "Audit",
      initial_comment: "All of it",
    });
    const seen = slack.as("ben").lastSeen();
    expect(seen).toMatchObject({
      text: "All of it",
      files: [{ name: "audit.csv", title: "Audit", mimetype: "text/csv" }],
    });
    expect(Buffer.from(seen.files[0]?.content ?? []).toString()).toBe(content);
  });

  it("goes to a direct message as well, and not to where the app is not", async () => {
    const { app, slack } = stage;
    const { channel } = await app.client.conversations.open({ users: slack.user("ana").id });
    await app.client.filesUploadV2({ channel_id: channel?.id ?? "", content: "x", filename: "a.txt" });
    expect(slack.as("ana").lastSeen("dm").files).toMatchObject([{ name: "a.txt", size: 1 }]);
    const channel_id = slack.channels.random?.id ?? "";
    const refused = app.client.filesUploadV2({ channel_id, content: "x", filename: "a.txt" });
    expect(await refusalOf(refused)).toMatchObject({ error: "not_in_channel" });
  });

  it("an upload whose length is not the announced one is refused, and a file without content cannot be shared", async () => {
    const { app } = stage;
    const { upload_url = "", file_id = "" } = await app.client.files.getUploadURLExternal(announced(3));
    expect((await fetch(upload_url, { method: "POST", body: "four" })).status).toBe(400);
    expect(await refusalOf(app.client.files.completeUploadExternal({ files: [{ id: file_id }] }))).toMatchObject({
      error: "file_not_found",
    });
    expect((await fetch(upload_url, { method: "POST", body: "abc" })).status).toBe(200);
    expect((await fetch(upload_url, { method: "POST", body: "abc" })).status).toBe(404);
  });

  it("a file from a form can be fetched with the bot's token alone", async () => {
    const { app, slack } = stage;
    let url = "";
    app.view("form", async ({ ack, view }) => {
      const files = z.array(z.object({ url_private_download: z.string() })).parse(view.state.values.data?.file?.files);
      url = files[0]?.url_private_download ?? "";
      await ack();
    });
    const label = plain("User data");
    const element = { type: "file_input" as const, action_id: "file", filetypes: ["yaml"] };
    const blocks = [{ type: "input" as const, block_id: "data", label, element }];
    await openForAna(stage, { type: "modal", callback_id: "form", title: label, submit: label, blocks });
    const ana = slack.as("ana");
    await ana.fill({ "User data": { name: "cloud.yaml", content: "#cloud-config" } });
    expect(await ana.submit()).toEqual({ closed: true });

    const authorization = `Bearer ${slack.botToken}`;
    expect(await (await fetch(url, { headers: { authorization } })).text()).toBe("#cloud-config");
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(url, { headers: { authorization: "Bearer xoxb-wrong" } })).status).toBe(404);
    const { file } = await app.client.files.info({ file: ana.user.id && (slack.state().files[0]?.id ?? "") });
    expect(file).toMatchObject({ name: "cloud.yaml", user: ana.user.id });
  });

  it("cannot be fetched by an app without the scope to read them", async () => {
    const { slack, app } = await setStage("socket", ["files:write"]);
    const { upload_url = "", file_id = "" } = await app.client.files.getUploadURLExternal(announced(1));
    await fetch(upload_url, { method: "POST", body: "x" });
    const authorization = `Bearer ${slack.botToken}`;
    const response = await fetch(`${slack.url}/files/${file_id}/a.txt`, { headers: { authorization } });
    expect(response.status).toBe(404);
    expect(await refusalOf(app.client.files.info({ file: file_id }))).toMatchObject({ error: "missing_scope" });
  });

  it("a file of the app's can be deleted by it, and is gone from its message", async () => {
    const { app, slack } = stage;
    await app.client.filesUploadV2({ channel_id: slack.channels.ops?.id ?? "", content: "x", filename: "a.txt" });
    await app.client.files.delete({ file: slack.state().files[0]?.id ?? "" });
    expect(slack.as("ben").lastSeen().files).toEqual([]);
    expect(await refusalOf(app.client.files.delete({ file: "F0GONE00000" }))).toMatchObject({
      error: "file_not_found",
    });
  });
});
