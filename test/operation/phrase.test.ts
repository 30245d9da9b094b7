import { expect, test } from "vitest";
import { registry } from "../../src/operations/index.ts";
import { limits } from "../../src/views/limits.ts";

const { all } = registry;

/** The verbs with which an act begins, in the imperative. */
const verbs = new Set(
  "Add Agree Approve Back Boot Buy Cancel Capture Change Charge Check Choose Configure Connect Create Delete Disconnect Download Drop End Import Install Keep Kill Link List Make Move Mute Open Order Pack Pay Poll Post Preview Protect Read Reboot Register Reinstall Remove Rename Renew Repeat Replace Replay Reset Restart Restore Resume Revert Revoke Run Save Search Send Set Share Show Shut Snapshot Start Stop Suspend Switch Terminate Try Unlink Unmute Unpack Unsuspend Upgrade Upload Verify Watch Withdraw Work Write".split(
    " ",
  ),
);

test.each(all.map(({ command, phrase }) => [command, phrase]))(
  "/%s is called “%s”: a verb first, and nothing that a modal's title would cut",
  (_, phrase) => {
    expect(phrase.length).toBeLessThanOrEqual(limits.view.title);
    const [first = "", ...rest] = phrase.split(" ");
    expect([...verbs], "declare a `phrase` that begins with a verb, or add its verb to this file").toContain(first);
    expect(rest.join(" ")).toMatch(/^$|^(?:(?:[a-z][a-z-]*|IP|SFTP|SSH|VPS(?:es)?) ?)+$/);
    expect(rest.at(-1) ?? "").not.toMatch(/^(?:a|an|at|for|from|of|the|to|with)$/);
    expect(new Set(phrase.toLowerCase().split(" ")).size).toBe(phrase.split(" ").length);
  },
);

test("within a noun no two commands have one phrase, unless one is another way to do what the other does", () => {
  const topics = Map.groupBy(all, ({ command }) =>
    command
      .split(" ")
      .slice(0, command.startsWith("reseller ") ? 2 : 1)
      .join(" "),
  );
  for (const [topic, under] of topics) {
    const phrases = under.map(({ phrase }) => phrase);
    expect([topic, phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)]).toEqual([topic, []]);
  }
});
