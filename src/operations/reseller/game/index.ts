import { fileChangeOperations } from "./file-changes.ts";
import { fileOperations } from "./files.ts";
import { backupOperations, modOperations, scheduleOperations } from "./lists.ts";
import { serverOperations, sftpOperations } from "./server.ts";

/** Operations on resold game servers, in the order of the guide. */
export const gameOperations = [
  ...serverOperations,
  ...fileOperations,
  ...fileChangeOperations,
  ...sftpOperations,
  ...backupOperations,
  ...scheduleOperations,
  ...modOperations,
];
