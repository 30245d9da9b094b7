import { expect, test } from "vitest";
import { openBrowser } from "./browser.ts";

test("a missing browser is reported in one line that says what was tried and what to do", async () => {
  const none = (name: string, message: string) => ({ name, open: () => Promise.reject(new Error(message)) });
  const opened = await openBrowser([
    none("one", "launch failed\nerror while loading shared libraries: libnss3.so\nmore"),
    none("another", "Chromium distribution 'chrome' is not found at /opt/google/chrome/chrome\nRun \"npx …\""),
  ]);
  expect(opened).toEqual({
    why: "no browser opens here (one: error while loading shared libraries: libnss3.so; another: Chromium distribution 'chrome' is not found at /opt/google/chrome/chrome). Install Chrome or Edge to run them",
  });
});
