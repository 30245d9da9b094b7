import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Inline, parseMrkdwn } from "../../../src/sandbox/page/mrkdwn.js";

function line(source: string, options?: { verbatim?: boolean }): Inline[] {
  const [block, ...rest] = parseMrkdwn(source, options);
  expect(rest).toEqual([]);
  return block?.type === "paragraph" ? block.children : [];
}

const text = (content: string): Inline => ({ type: "text", text: content });

describe("marks", () => {
  it("show bold, italic and struck words", () => {
    expect(line("*a* _b_ ~c~")).toEqual([
      { type: "bold", children: [text("a")] },
      text(" "),
      { type: "italic", children: [text("b")] },
      text(" "),
      { type: "strike", children: [text("c")] },
    ]);
  });

  it("stand within one another", () => {
    expect(line("*a _b_*")).toEqual([
      { type: "bold", children: [text("a "), { type: "italic", children: [text("b")] }] },
    ]);
  });

  it.each(["2*3*4", "snake_case_name", "* a *", "*a", "a*", "**", "*a\nb*", "~ a~"])(
    "leave %j as it was typed",
    (source) => {
      expect(marksIn(parseMrkdwn(source))).toEqual([]);
    },
  );

  it("end at their own sign only, not inside code", () => {
    expect(line("*a `b*` c*")).toEqual([
      { type: "bold", children: [text("a "), { type: "code", children: [text("b*")] }, text(" c")] },
    ]);
  });
});

describe("code", () => {
  it("shows signs as they are, and characters for entities", () => {
    expect(line("`*a* &lt;b&gt; :x:`")).toEqual([{ type: "code", children: [text("*a* <b> :x:")] }]);
  });

  it("keeps the lines and spaces of preformatted text", () => {
    expect(parseMrkdwn("before ```\n  a\n b ``` after")).toEqual([
      { type: "paragraph", children: [text("before ")] },
      { type: "pre", children: [text("  a\n b ")] },
      { type: "paragraph", children: [text(" after")] },
    ]);
  });

  it("is no code when nothing closes it", () => {
    expect(line("a ``` b")).toEqual([text("a ``` b")]);
    expect(line("a ` b")).toEqual([text("a ` b")]);
  });
});

describe("references", () => {
  it("name people, channels and groups by id", () => {
    expect(line("<@U1>")).toEqual([{ type: "user", id: "U1", label: undefined }]);
    expect(line("<#C1|ops>")).toEqual([{ type: "channel", id: "C1", label: "ops" }]);
    expect(line("<!subteam^S1|@night>")).toEqual([{ type: "usergroup", id: "S1", label: "@night" }]);
  });

  it("ring a channel only when written in brackets", () => {
    expect(line("<!channel>")).toEqual([{ type: "broadcast", range: "channel" }]);
    expect(line("<!here>")).toEqual([{ type: "broadcast", range: "here" }]);
    expect(line("&lt;!channel&gt; @channel")).toEqual([text("<!channel> @channel")]);
  });

  it("link an address under its label", () => {
    expect(line("<https://a.example/?b=1&amp;c=2|see &lt;this&gt;>")).toEqual([
      { type: "link", url: "https://a.example/?b=1&c=2", label: "see <this>" },
    ]);
  });

  it("never link what could run in the page", () => {
    for (const source of ["<javascript:alert(1)|x>", "<data:text/html,x|x>", "<vbscript:x>", "< javascript:x|y>"]) {
      expect(linksIn(parseMrkdwn(source))).toEqual([]);
    }
  });

  it("carry a date with its format and its fallback", () => {
    expect(line("<!date^1700000000^{date_num} at {time}^https://a.example/|then>")).toEqual([
      {
        type: "date",
        ts: 1_700_000_000,
        format: "{date_num} at {time}",
        url: "https://a.example/",
        fallback: "then",
      },
    ]);
  });
});

describe("bare addresses", () => {
  it("become links, without the full stop after them", () => {
    expect(line("see https://a.example/b?c=1&amp;d=2.")).toEqual([
      text("see "),
      { type: "link", url: "https://a.example/b?c=1&d=2", label: "https://a.example/b?c=1&d=2" },
      text("."),
    ]);
    expect(linksIn(parseMrkdwn("(db-1.example.com)"))).toEqual(["http://db-1.example.com"]);
  });

  it("stay text where the text is verbatim", () => {
    expect(line("https://a.example and db-1.example.com", { verbatim: true })).toEqual([
      text("https://a.example and db-1.example.com"),
    ]);
  });

  it("are not found in mail addresses, paths or version numbers", () => {
    expect(linksIn(parseMrkdwn("ana@example.com /etc/example.com 1.2.3 notes.txt"))).toEqual([]);
  });
});

describe("lines", () => {
  it("keep their breaks, empty ones included", () => {
    expect(line("a\n\nb")).toEqual([text("a"), { type: "break" }, { type: "break" }, text("b")]);
  });

  it("are quoted one by one, or all to the end", () => {
    expect(parseMrkdwn("&gt; a\n> b\nc")).toEqual([
      { type: "quote", children: [{ type: "paragraph", children: [text("a"), { type: "break" }, text("b")] }] },
      { type: "paragraph", children: [text("c")] },
    ]);
    expect(parseMrkdwn("&gt;&gt;&gt; a\nb")).toEqual([
      { type: "quote", children: [{ type: "paragraph", children: [text("a"), { type: "break" }, text("b")] }] },
    ]);
  });

  it("that begin with a bullet or a number hang under it", () => {
    expect(parseMrkdwn("• a\n  - b\n1. c")).toEqual([
      { type: "item", depth: 0, marker: "•", children: [text("a")] },
      { type: "item", depth: 1, marker: "-", children: [text("b")] },
      { type: "item", depth: 0, marker: "1.", children: [text("c")] },
    ]);
  });
});

describe("emoji", () => {
  it("are shown for the names that are known, and others stay as typed", () => {
    expect(line(":tada: :no-such-thing: 12:30:45")).toEqual([
      { type: "emoji", name: "tada", unicode: "🎉" },
      text(" :no-such-thing: 12:30:45"),
    ]);
  });
});

describe("any text at all", () => {
  it("that an app escaped and sent verbatim reads back as it was, rings nobody and links nowhere", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab.@#!<>&|;^: ltgamp/hs") }).filter((name) => !/^\s*>|:\w/.test(name)),
        (name) => {
          const escaped = name.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
          const nodes = inlineIn(parseMrkdwn(`x ${escaped}`, { verbatim: true }));
          expect(nodes).toEqual([text(`x ${name}`)]);
        },
      ),
    );
  });

  it("is read in the end, and links nowhere but to the web, mail and telephones", () => {
    const wild = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."*_~`<>|@#!&;:^\n .-1aUC/"), maxLength: 200 }),
      fc.string().map((rest) => `<javascript:${rest}|x>`),
    );
    fc.assert(
      fc.property(wild, (source) => {
        for (const url of linksIn(parseMrkdwn(source))) expect(url).toMatch(/^(https?:\/\/|mailto:|tel:)/i);
      }),
    );
  });
});

function inlineIn(blocks: Block[]): Inline[] {
  return blocks.flatMap((block) =>
    block.type === "quote" ? inlineIn(block.children) : block.children.flatMap(withChildren),
  );
}

function withChildren(node: Inline): Inline[] {
  return "children" in node ? [node, ...node.children.flatMap(withChildren)] : [node];
}

function marksIn(blocks: Block[]): string[] {
  return inlineIn(blocks)
    .map((node) => node.type)
    .filter((type) => type === "bold" || type === "italic" || type === "strike");
}

function linksIn(blocks: Block[]): string[] {
  return inlineIn(blocks).flatMap((node) => {
    if (node.type === "link") return [node.url];
    return node.type === "date" && node.url ? [node.url] : [];
  });
}
