import { readFileSync } from "node:fs";
import { checkExported, type ExportCheck } from "./audit/exported.ts";

const usage = `npm run verify -- FILE     checks the passkeys in the file of /rackbell audit everyone=yes export=yes format=json
`;

const faultWords: Record<NonNullable<ExportCheck["fault"]>["why"], string> = {
  "not registered": "No entry before it registers its passkey to that member, or one removes it.",
  "not signed": "Its passkey signed something else.",
  "another's": "The passkey signed another entry.",
  "not proven": "It registers a passkey without the proof that this takes.",
  "not an entry": "It is no entry of an audit log.",
};

/** It needs the file alone: no store, no key, no network, and no Rackbell that runs. */
async function verify(file: string): Promise<void> {
  const { entries, proven, fault } = await checkExported(readFileSync(file, "utf8"));
  if (!fault) {
    process.stdout.write(`${entries} entries read. Every passkey in them fits; ${proven} signatures are proven.\n`);
    return;
  }
  process.stderr.write(`Line ${fault.line} (${fault.what}) does not fit. ${faultWords[fault.why]}\n`);
  process.exitCode = 1;
}

const [file] = process.argv.slice(2);
if (file) await verify(file);
else process.stdout.write(usage);
