import { expect, test } from "vitest";
import { type Story, said, startStory } from "../story.ts";

/** The next write of this path is answered as a job, and nothing is carried out. */
function answersOnly({ platform }: Story, path: string, data: object): void {
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, method: "POST", path, applied: false });
}

test.each([
  ["/vps start worker-2", "/vps/{id}/start", "`worker-2` is stopped"],
  ["/vps power worker-2 action=start", "/vps/{id}/power/{action}", "`worker-2` is stopped"],
  ["/vps reboot web-1 force=yes", "/vps/{id}/reboot", "`web-1` is running"],
  ["/service start worker-2", "/services/{id}/power/{action}", "`worker-2` is stopped"],
  ["/dedicated off metal-1 force=yes", "/dedicated/{id}/power", "`metal-1` is on"],
])("%s is called failed if the platform answers so, whatever it calls completed", async (command, path, standing) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const completed of [true, false]) {
    answersOnly(story, path, { completed, pending: false, job_id: "7", state: "failed", status: "failed" });
    await ana.type(command);
    await story.passes(
      () => ana.sees().filter((one) => said(one).includes("answered that this failed")).length > (completed ? 0 : 1),
      "the failure",
    );
    await story.sees(ana, ":x:", "The platform answered that this failed", standing);
  }
  expect(ana.sees().map(said).join()).not.toContain(":white_check_mark:");
});

test("an act that the platform calls completed is called done only when the machine shows it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  answersOnly(story, "/vps/{id}/start", {
    completed: true,
    pending: false,
    job_id: "7",
    state: "done",
    status: "done",
  });
  await story.ask(ana, "/vps start worker-2", ":hourglass_flowing_sand:");
  await story.comesToSee(ana, "`worker-2` is stopped");
  platform.change("worker-2", { instance: { state: "running" } });
  await story.comesToSee(ana, ":white_check_mark:", "`worker-2` is running");
});

test("a reboot that never ran is not called done by the next report of the machine, and nobody is alarmed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  answersOnly(story, "/vps/{id}/reboot", { completed: false, pending: true, state: "queued", status: "accepted" });
  const reports = () => platform.change("web-1", { instance: { updated_at: new Date(clock.now()).toISOString() } });
  await story.ask(ana, "/vps reboot web-1 force=yes", "Rebooting");
  const ended = await story.passes(() => {
    reports();
    return ana.sees().find((one) => said(one).includes("does not show if it ran"));
  }, "the end of the reboot");
  expect(said(ended)).toContain("`web-1` is running. The platform accepted the restart");
  expect(said(ended)).not.toMatch(/again|:white_check_mark:|:x:|:warning:/);
});
