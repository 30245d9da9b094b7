import axe from "axe-core";
import type { Page } from "playwright-core";
import * as z from "zod";

const Findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Only violations are read: axe-core need not describe all that passed, nor find a selector for it. */
const violationsAlone = JSON.stringify({ resultTypes: ["violations"], selectors: false, preload: false });

/** Rules that speak in vain here, each with its reason. */
const excused: Record<string, string> = {
  "aria-allowed-role":
    "The composer is a text area that completes names: no element of HTML is both, and readers read both.",
  "landmark-one-main": "On a phone the list of channels is a screen of its own, which is navigation alone.",
};

/** The findings of axe-core on the page as it is, a line each: by all rules in the light theme, and by those for contrasts in the dark one. */
export async function findings(page: Page, where: string): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const lines: string[] = [];
  for (const [colorScheme, run] of [
    ["dark", `axe.run({ ...${violationsAlone}, runOnly: ['color-contrast'] })`],
    ["light", `axe.run(${violationsAlone})`],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const found = Findings.parse(await page.evaluate(`${run}.then(({ violations }) => violations)`));
    lines.push(
      ...found
        .filter(({ id }) => !Object.hasOwn(excused, id))
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${where}, ${colorScheme}: ${id}: ${html}`)),
    );
  }
  return lines;
}
