import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fieldsOf, isSecret } from "../../src/operation/fields.ts";
import { coerce } from "../../src/operation/input.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { usageOf } from "../../src/operation/usage.ts";
import { registry } from "../../src/operations/index.ts";
import { catalogueOf, generated, withGeneratedParts } from "../../src/slack/catalogue.ts";
import { botScopes, manifestOf } from "../../src/slack/manifest.ts";

const Manifest = z.object({
  features: z.object({
    slash_commands: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string(),
        should_escape: z.boolean(),
        url: z.string().optional(),
      }),
    ),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({ socket_mode_enabled: z.boolean() }),
});

describe("the generated texts", () => {
  test("manifest.json is what the catalogue makes (npm run generate)", () => {
    expect(JSON.parse(readFileSync("manifest.json", "utf8"))).toEqual(manifestOf(registry));
  });

  test.each(Object.keys(generated))(
    "the generated parts of %s are what the catalogue makes (npm run generate)",
    (file) => {
      const text = readFileSync(file, "utf8");
      expect(withGeneratedParts(registry, file, text)).toBe(text);
    },
  );

  test("the README explains each scope that the app asks Slack for", () => {
    const { oauth_config } = Manifest.parse(manifestOf(registry));
    const text = readFileSync("README.md", "utf8");
    for (const scope of oauth_config.scopes.bot)
      expect(text).toContain(`| \`${scope}\` | ${botScopes[scope]?.purpose} |`);
  });
});

describe("the manifest", () => {
  test("holds every noun once, escaped, with texts that Slack takes", () => {
    const { features } = Manifest.parse(manifestOf(registry));
    expect(features.slash_commands.map(({ command }) => command)).toEqual(registry.nouns.map((noun) => `/${noun}`));
    for (const { description, usage_hint, should_escape } of features.slash_commands) {
      expect(should_escape).toBe(true);
      expect(description.length).toBeLessThanOrEqual(100);
      expect(usage_hint.length).toBeLessThanOrEqual(100);
    }
  });

  test("for HTTP mode names the address for commands, presses and events, and turns the socket off", () => {
    const manifest = manifestOf(registry, "https://rackbell.example.test/");
    const { features, settings } = Manifest.parse(manifest);
    expect(settings.socket_mode_enabled).toBe(false);
    expect(new Set(features.slash_commands.map(({ url }) => url))).toEqual(
      new Set(["https://rackbell.example.test/slack/events"]),
    );
    expect(JSON.stringify(manifest)).toContain('"request_url":"https://rackbell.example.test/slack/events"');
  });
});

describe("the catalogue", () => {
  test("has one entry per operation, each with its usage and a schema of its input", () => {
    const entries = catalogueOf(registry);
    expect(entries).toHaveLength(registry.all.length);
    for (const { command, usage, summary, input } of entries) {
      expect(usage.startsWith(`/${command}`)).toBe(true);
      expect(summary.length).toBeLessThanOrEqual(120);
      expect(input).toMatchObject({ type: "object" });
    }
  });

  test("the other words of a value are understood as it, and listed nowhere", () => {
    const taught = registry.all.flatMap((operation) =>
      fieldsOf(operation.input)
        .filter(({ synonyms }) => Object.keys(synonyms).length > 0)
        .map((field) => ({ operation, field })),
    );
    expect(taught.map(({ operation, field }) => `${operation.command} ${field.name}`)).toEqual([
      "rackbell policy set demand",
    ]);
    for (const { operation, field } of taught) {
      for (const [word, meant] of Object.entries(field.synonyms)) {
        expect(field.options).toContain(meant);
        for (const typed of [word, ` ${word.toUpperCase()} `, meant])
          expect(coerce(operation.input, { [field.name]: typed })).toEqual({ [field.name]: meant });
        const shown = `${usageOf(operation)} ${JSON.stringify(catalogueOf(createRegistry([operation])))}`;
        expect(shown.split(/\W+/)).not.toContain(word);
      }
      expect(coerce(operation.input, { [field.name]: "constructor" })).toEqual({ [field.name]: "constructor" });
    }
  });

  test("a usage line never asks for a secret", () => {
    const secrets = registry.all.flatMap((operation) =>
      fieldsOf(operation.input)
        .filter(isSecret)
        .map(({ name }) => ({ usage: usageOf(operation), name })),
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const { usage, name } of secrets) expect(usage).not.toContain(`${name}=`);
  });
});
