// ESLint lends its rules to the judges. Biome formats and lints the project.
import parser from "@typescript-eslint/parser";
import redos from "eslint-plugin-redos";
import sonarjs from "eslint-plugin-sonarjs";

/** The rules that speak in vain here, each with the reason. */
const vain = {
  "sonarjs/no-redundant-optional": "with exactOptionalPropertyTypes, absent and undefined are two things",
  "sonarjs/no-nested-template-literals": "taste: Biome's limit of complexity holds what is hard to read",
  "sonarjs/no-nested-conditional": "taste: the same limit counts each nested condition",
  "sonarjs/no-unused-vars": "Biome holds it, and knows the underscore that leaves a field out",
  "sonarjs/void-use": "it marks a promise that nobody awaits",
  "sonarjs/no-incomplete-assertions": "a function of the timers has the name expect",
  "sonarjs/no-all-duplicated-branches": "the two branches have two types: the compiler narrows the union by them",
  "sonarjs/use-type-alias": "a union that is used once needs no name",
  "sonarjs/redundant-type-aliases": "the alias names the unit",
  "sonarjs/reduce-initial-value": "the list has an element by construction",
  "sonarjs/prefer-while": "taste",
  "sonarjs/misplaced-loop-counter": "the loop ends by a set, and the counter makes the next name",
  "sonarjs/duplicates-in-character-class": "the letters of a file's mode, with the flag i",
  "sonarjs/anchor-precedence": "only the last alternative is bound to the end",
  "sonarjs/pseudo-random": "a pause and a port need no secrecy",
  "sonarjs/no-hardcoded-ip": "addresses in examples and in the ranges that are refused",
  "sonarjs/no-clear-text-protocols": "the practice platform on loopback",
  "sonarjs/no-os-command-from-path": "git, in the bench",
  "sonarjs/code-eval": "a pattern of the supplier's own runs in a context of its own, for a limited time",
  "sonarjs/no-nested-functions": "taste",
  "sonarjs/super-linear-regex": "redos measures the same more closely",
};

/** Files whose patterns recheck doubts in vain, each with the reason. */
const harmless = {
  "src/sandbox/**":
    "the practice workspace and platform are not in the image: a person at the page writes to themselves",
  "src/app/tools/bundle.ts": "the build reads its own code",
};

export default [
  {
    files: ["**/*.ts", "**/*.js"],
    languageOptions: { parser },
    linterOptions: { noInlineConfig: true },
    plugins: { ...sonarjs.configs.recommended.plugins, redos },
    rules: {
      ...sonarjs.configs.recommended.rules,
      ...Object.fromEntries(Object.keys(vain).map((rule) => [rule, "off"])),
      "redos/no-vulnerable": ["error", { checker: "automaton", timeout: 60_000 }],
    },
  },
  { files: Object.keys(harmless), rules: { "redos/no-vulnerable": "off" } },
];
