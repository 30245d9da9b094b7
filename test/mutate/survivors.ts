// A reporter of Stryker, which prints each survivor at once: the end of a large file can be an hour away.

interface Tested {
  status: string;
  fileName: string;
  replacement?: string;
  location: { start: { line: number } };
}

const reporter = () => ({
  onMutantTested({ status, fileName, replacement = "", location }: Tested): void {
    if (status !== "Survived" && status !== "NoCoverage") return;
    process.stdout.write(
      `Survived so far: ${fileName}:${location.start.line}: ${replacement.replaceAll(/\s+/g, " ")}\n`,
    );
  },
});

export const strykerPlugins = [
  { kind: "Reporter", name: "survivors", factory: Object.assign(reporter, { inject: [] }) },
];
