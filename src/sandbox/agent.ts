import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { type PracticeAgent, type PracticeSlack, said } from "./slack/server.ts";

const Token = z.string().regex(/^rba_[\w-]{43}$/);
/** The app's answer to a command begins so when it did nothing. */
const refusal = ":warning: ";
const Shown = z.array(z.object({ text: z.string() }));

/** The agent of the practice page: a real client of the protocol, with a token that the acting person makes in Slack. */
export function practiceAgent(slack: PracticeSlack, appUrl: () => string): PracticeAgent {
  const made = new Map<string, number>();
  return {
    async token(user) {
      const person = slack.as(user);
      const count = (made.get(user) ?? 0) + 1;
      made.set(user, count);
      const name = `practice-${count}`;
      const seen = person.sees("dm").length;
      await person.type(`/rackbell agent new ${name} may=propose channel=#ops`, "dm");
      const offer = await slack.until(
        () =>
          person
            .sees("dm")
            .slice(seen)
            .find((message) => said(message).includes(`Token of ${name}`) || said(message).startsWith(refusal)),
        "the token to be offered",
      );
      if (said(offer).startsWith(refusal)) throw new Error(said(offer).slice(refusal.length));
      await person.press(offer, "Reveal");
      const text = await slack.until(
        () => /rba_[\w-]{43}/.exec(JSON.stringify(person.modal() ?? {}))?.[0],
        "the token",
      );
      await person.closeModal({ all: true });
      return Token.parse(text);
    },
    async call(token, tool, input) {
      const client = new Client({ name: "practice-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      try {
        await client.connect(new StreamableHTTPClientTransport(new URL(`${appUrl()}/mcp`), { requestInit }));
        const { isError, structuredContent, content } = await client.callTool({ name: tool, arguments: { ...input } });
        if (!isError) return { result: z.record(z.string(), z.json()).parse(structuredContent) };
        return {
          error: Shown.parse(content)
            .map(({ text }) => text)
            .join(" "),
        };
      } catch (error) {
        return { error: error instanceof Error ? error.message : "The app does not answer." };
      } finally {
        await client.close();
      }
    },
  };
}
