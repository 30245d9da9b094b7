import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { type FileOperation, openGameFileLink, runFileOperation } from "../../../platform/reseller/game/files.ts";
import { readService } from "../../../platform/reseller/services.ts";
import { bodyField, parseBody } from "./fields.ts";
import { game, quotedName, stepOf, writtenAnswer } from "./game.ts";

interface Words {
  summary: string;
  /** The outcome after "On `arena-1`, ": "the file was written". */
  outcome: string;
  /** The data that the operation destroys. An operation with this needs a confirmation first. */
  loses?: string;
}

function fileOperation(op: Exclude<FileOperation, "download-url" | "upload">, { summary, outcome, loses }: Words) {
  return defineOperation({
    command: `reseller game file ${op}`,
    summary,
    act: openGameFileLink,
    reads: [readService],
    risk: loses === undefined ? "change" : "destroy",
    target: game,
    input: z.object({ body: bodyField }),
    async review({ target }) {
      return {
        consequence:
          loses === undefined
            ? `${summary}.`
            : `On ${quotedName(target)}, ${loses}. There is no way back but a backup.`,
        back: "Leave it as it is",
      };
    },
    async run({ client, target, input }) {
      const answered = await runFileOperation(client, target.serviceId, op, parseBody(input.body));
      return writtenAnswer(`On ${quotedName(target)}, ${outcome}.`, answered, [stepOf(target, "Files", "files")]);
    },
    reconcile: async () => ({ is: "unsure", text: "`/reseller game files` tells what is there." }),
  });
}

export const write = fileOperation("write", {
  summary: "Write a file of a game server; what it held is replaced",
  outcome: "the file was written",
  loses: "the file is written anew, and what it held before is lost",
});
export const mkdir = fileOperation("mkdir", {
  summary: "Make a folder on a game server",
  outcome: "the folder was made",
});
export const rename = fileOperation("rename", {
  summary: "Rename or move a file or folder of a game server",
  outcome: "it was renamed",
});
export const remove = fileOperation("delete", {
  summary: "Delete files or folders of a game server, with all that is in them",
  outcome: "it was deleted",
  loses: "what is named there is deleted, folders with all that is in them",
});
export const compress = fileOperation("compress", {
  summary: "Pack files or folders of a game server into an archive",
  outcome: "the archive was made",
});
export const decompress = fileOperation("decompress", {
  summary: "Unpack an archive on a game server, over what is there",
  outcome: "the archive was unpacked",
  loses: "the archive is unpacked, and files of the same names are overwritten",
});
export const chmod = fileOperation("chmod", {
  summary: "Set who may read, write and run a file of a game server",
  outcome: "the mode was set",
});

export const link = defineOperation({
  command: "reseller game file link",
  summary: "Make a link that downloads a file of a game server: whoever has it can, so that you get it once",
  act: openGameFileLink,
  reads: [readService],
  risk: "change",
  verb: "Make download link",
  target: game,
  input: z.object({ body: bodyField }),
  async run({ client, target, input }) {
    const { secrets } = await openGameFileLink(client, target.serviceId, parseBody(input.body));
    return {
      text:
        secrets.length > 0
          ? `A download link for a file of ${quotedName(target)} was made. It is for who asked alone.`
          : `The game module of ${quotedName(target)} took that, and told no link.`,
      next: [stepOf(target, "Files", "files")],
      secrets: secrets.map(({ name, value }) => ({ label: name, value })),
    };
  },
  reconcile: async () => ({ is: "unsure", text: "A link that nobody saw harms nobody. Make another." }),
});
