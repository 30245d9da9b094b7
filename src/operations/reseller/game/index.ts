import * as backups from "./backups.ts";
import { open } from "./console.ts";
import { chmod, compress, decompress, link, mkdir, remove, rename, write } from "./file-operations.ts";
import { contents, list, read } from "./files.ts";
import * as modSource from "./mod-source.ts";
import * as mods from "./mods.ts";
import { kill, restart, start, stop } from "./power.ts";
import * as schedules from "./schedules.ts";
import * as sftp from "./sftp.ts";
import { addons, show } from "./show.ts";
import { download, upload, uploadOwnMod } from "./transfer.ts";
import { vars } from "./vars.ts";

const server = [show, addons, start, stop, restart, kill, vars, open];
const files = [list, read, contents, download, link, upload, write, mkdir, rename, compress, decompress, chmod, remove];

/** Operations on resold game servers, in the order of the guide. */
export const gameOperations = [
  ...server,
  ...files,
  ...[sftp.show, sftp.rotate],
  ...[backups.list, backups.create, backups.change, backups.restore, backups.remove],
  ...[schedules.list, schedules.calendar, schedules.create, schedules.change, schedules.run, schedules.remove],
  ...[
    mods.list,
    modSource.search,
    modSource.show,
    modSource.versions,
    modSource.sources,
    mods.install,
    uploadOwnMod,
    mods.remove,
  ],
];
