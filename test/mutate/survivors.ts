// A reporter of Stryker, which prints each survivor at once: the end of a large file can be an hour away.

import { relative } from "node:path";

interface Tested {
  status: string;
  fileName: string;
  replacement?: string;
  location: { start: { line: number } };
}

const reporter = () => ({
  onMutantTested({ status, fileName, replacement = "", location }: Tested): void {
    if (status !== "Survived" && status !== "NoCoverage") return;
    const place = `${relative(process.cwd(), fileName)}:${location.start.line}`;
    process.stdout.write(`Survived so far: ${place}: ${replacement.replaceAll(/\s+/g, " ")}\n`);
  },
});

export const strykerPlugins = [
  { kind: "Reporter", name: "survivors", factory: Object.assign(reporter, { inject: [] }) },
];
