/**
 * Lua 5.1 as far as the product's scripts use it, compiled to JavaScript: numbers are doubles in both, and a text of bytes is a string of
 * characters below 256. All else is refused at once, so that a script never means something else here than in Redis.
 */

/** Nil is undefined; null is the null of JSON, which is no nil. */
export type Value = undefined | null | boolean | number | string | Table | Callable;
export type Table = Map<Value, Value>;
/** Gives all its results. */
export type Callable = (...args: Value[]) => Value[];

/** An error of a script, with the value that it was raised with. */
export class LuaError extends Error {
  override readonly name = "LuaError";
  readonly value: Value;

  constructor(value: Value) {
    super(value instanceof Map ? String(value.get("err")) : String(value));
    this.value = value;
  }
}

/** Compiles a script: the function runs it with these globals, and gives what it returns. */
export function compileLua(text: string): (globals: Readonly<Record<string, Value>>) => Value[] {
  const run: unknown = new Function("globals", "r", `"use strict";let _;${translate(text)}return [];`);
  if (typeof run !== "function") throw new Error("A function was expected");
  const { library, ...runtime } = operations;
  return (globals) => run({ ...library, ...globals }, runtime);
}

/** A table of a list, without what is missing at its end. */
export function tableOf(values: Iterable<Value>): Table {
  const table: Table = new Map();
  let at = 0;
  for (const value of values) {
    at += 1;
    if (value !== undefined) table.set(at, value);
  }
  return table;
}

export function lengthOf(value: Value): number {
  if (typeof value === "string") return value.length;
  if (!(value instanceof Map)) throw new LuaError(`attempt to get length of a ${typeNameOf(value)} value`);
  let length = 0;
  while (value.has(length + 1)) length += 1;
  return length;
}

/** As C prints a double with %.17g, and so as Redis does. */
export function printNumber(number: number, digits = 17): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  if (Object.is(number, -0)) return "-0";
  const [mantissa = "", exponent] = number.toPrecision(digits).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  if (exponent === undefined) return short;
  return `${short}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, "0")}`;
}

function typeNameOf(value: Value): string {
  if (value === undefined) return "nil";
  if (value === null) return "userdata";
  if (value instanceof Map) return "table";
  return typeof value;
}

function toNumber(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : specialNumber(text);
}

/** As strtod reads them. */
function specialNumber(text: string): number | undefined {
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (word === undefined) return undefined;
  const number = /^nan$/i.test(word) ? Number.NaN : Number.POSITIVE_INFINITY;
  return sign === "-" ? -number : number;
}

function operand(value: Value): number {
  const number = toNumber(value);
  if (number === undefined) throw new LuaError(`attempt to perform arithmetic on a ${typeNameOf(value)} value`);
  return number;
}

function piece(value: Value): string {
  if (typeof value === "number") return printNumber(value, 14);
  if (typeof value === "string") return value;
  throw new LuaError(`attempt to concatenate a ${typeNameOf(value)} value`);
}

function textArgument(value: Value): string {
  if (typeof value === "string" || typeof value === "number") return piece(value);
  throw new LuaError(`bad argument (string expected, got ${typeNameOf(value)})`);
}

function numberArgument(value: Value): number {
  const number = toNumber(value);
  if (number === undefined) throw new LuaError(`bad argument (number expected, got ${typeNameOf(value)})`);
  return number;
}

function compared(one: Value, other: Value): [number, number] | [string, string] {
  if (typeof one === "number" && typeof other === "number") return [one, other];
  if (typeof one === "string" && typeof other === "string")
    throw new Error("Lua compares texts by the locale: no script of ours does");
  throw new LuaError(`attempt to compare ${typeNameOf(one)} with ${typeNameOf(other)}`);
}

function subtext(text: Value, from: Value, to: Value = -1): Value[] {
  const whole = textArgument(text);
  const place = (at: number) => (at < 0 ? Math.max(whole.length + at + 1, 0) : at);
  return [whole.slice(Math.max(place(numberArgument(from)), 1) - 1, place(numberArgument(to)))];
}

/** Only a beginning that is anchored, without any special character. */
function matchText(text: Value, pattern: Value): Value[] {
  const [, begins] = /^\^([\w~ :]+)$/.exec(textArgument(pattern)) ?? [];
  if (begins === undefined) throw new Error(`This pattern of Lua is not known here: ${String(pattern)}`);
  return [textArgument(text).startsWith(begins) ? begins : undefined];
}

function call(callee: Value, ...args: Value[]): Value[] {
  if (typeof callee !== "function") throw new LuaError(`attempt to call a ${typeNameOf(callee)} value`);
  return callee(...args);
}

/** The functions that the compiled code calls, and the globals of every script. */
const operations = {
  is: (value: Value) => value !== undefined && value !== false,
  get(table: Value, key: Value): Value {
    if (table instanceof Map) return table.get(key);
    throw new LuaError(`attempt to index a ${typeNameOf(table)} value`);
  },
  set(table: Value, key: Value, value: Value): void {
    if (!(table instanceof Map)) throw new LuaError(`attempt to index a ${typeNameOf(table)} value`);
    if (value === undefined) table.delete(key);
    else table.set(key, value);
  },
  call,
  add: (one: Value, other: Value) => operand(one) + operand(other),
  take: (one: Value, other: Value) => operand(one) - operand(other),
  times: (one: Value, other: Value) => operand(one) * operand(other),
  by: (one: Value, other: Value) => operand(one) / operand(other),
  less(one: Value, other: Value): boolean {
    const [a, b] = compared(one, other);
    return a < b;
  },
  most(one: Value, other: Value): boolean {
    const [a, b] = compared(one, other);
    return a <= b;
  },
  concat: (one: Value, other: Value) => piece(one) + piece(other),
  length: lengthOf,
  table: tableOf,
  number: operand,
  /** The values of `ipairs`: no script of ours takes the function itself. */
  *each(table: Value): Generator<[number, Value]> {
    if (!(table instanceof Map)) throw new LuaError(`bad argument #1 to 'ipairs' (table expected)`);
    for (let at = 1; table.has(at); at += 1) yield [at, table.get(at)];
  },
  library: {
    type: (value: Value) => [typeNameOf(value)],
    tonumber: (value: Value) => [toNumber(value)],
    pcall(work: Value, ...args: Value[]): Value[] {
      try {
        return [true, ...call(work, ...args)];
      } catch (error) {
        if (error instanceof LuaError) return [false, error.value];
        throw error;
      }
    },
    string: library({
      sub: subtext,
      match: matchText,
      byte: (text, at = 1) => [textArgument(text).codePointAt(numberArgument(at) - 1)],
      format(pattern, number) {
        if (pattern !== "%.0f") throw new Error(`This format of Lua is not known here: ${String(pattern)}`);
        return [numberArgument(number).toFixed(0)];
      },
    }),
    math: library({
      min: (...all) => [Math.min(...all.map(numberArgument))],
      max: (...all) => [Math.max(...all.map(numberArgument))],
      floor: (number) => [Math.floor(numberArgument(number))],
    }),
  },
};

function library(functions: Record<string, Callable>): Table {
  return new Map(Object.entries(functions));
}

interface Token {
  kind: "name" | "word" | "number" | "text" | "sign" | "end";
  text: string;
}

const words = new Set(
  "and break do else elseif end false for function if in local nil not or return then true while".split(" "),
);
const tokens =
  /\s+|--[^\n]*|(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|'(?<text>[^'\\\n]*)'|(?<sign>\.\.|==|~=|<=|>=|[-+*/#<>=(){}[\],.;])/y;

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  tokens.lastIndex = 0;
  while (tokens.lastIndex < text.length) {
    const from = tokens.lastIndex;
    const { groups } = tokens.exec(text) ?? {};
    if (!groups) throw new Error(`This Lua is not known here: ${text.slice(from, from + 40)}`);
    const { name, number, text: quoted, sign } = groups;
    if (name !== undefined) found.push({ kind: words.has(name) ? "word" : "name", text: name });
    else if (number !== undefined) found.push({ kind: "number", text: number });
    else if (quoted !== undefined) found.push({ kind: "text", text: quoted });
    else if (sign !== undefined) found.push({ kind: "sign", text: sign });
  }
  return [...found, { kind: "end", text: "" }];
}

/** An expression in JavaScript. One that `calls` may have several values, as the last of a list does. */
interface Expression {
  code: string;
  calls: boolean;
}

/** Weakest first; those of one line bind alike. */
const levels: readonly Readonly<Record<string, (one: string, other: string) => string>>[] = [
  { or: (one, other) => `(r.is(_=${one})?_:${other})` },
  { and: (one, other) => `(r.is(_=${one})?${other}:_)` },
  {
    "==": (one, other) => `(${one}===${other})`,
    "~=": (one, other) => `(${one}!==${other})`,
    "<": (one, other) => `r.less(${one},${other})`,
    ">": (one, other) => `r.less(${other},${one})`,
    "<=": (one, other) => `r.most(${one},${other})`,
    ">=": (one, other) => `r.most(${other},${one})`,
  },
  { "..": (one, other) => `r.concat(${one},${other})` },
  { "+": (one, other) => `r.add(${one},${other})`, "-": (one, other) => `r.take(${one},${other})` },
  { "*": (one, other) => `r.times(${one},${other})`, "/": (one, other) => `r.by(${one},${other})` },
];

function translate(text: string): string {
  const all = tokensOf(text);
  let at = 0;
  let names = 0;
  const scopes: Map<string, string>[] = [new Map()];
  const end: Token = { kind: "end", text: "" };
  const next = (): Token => all[at] ?? end;

  function is(...texts: string[]): boolean {
    const { kind, text } = next();
    return (kind === "word" || kind === "sign") && texts.includes(text);
  }

  function take(text: string): boolean {
    if (!is(text)) return false;
    at += 1;
    return true;
  }

  function need(text: string): void {
    if (!take(text)) throw new Error(`"${text}" is expected before "${next().text}"`);
  }

  function name(): string {
    const { kind, text } = next();
    if (kind !== "name") throw new Error(`A name is expected before "${text}"`);
    at += 1;
    return text;
  }

  /** Another name for each: Lua lets one be declared again, and used in its own declaration. */
  function declare(given: string): string {
    names += 1;
    const own = `${given}_${names}`;
    scopes.at(-1)?.set(given, own);
    return own;
  }

  const variable = (given: string) => scopes.findLast((scope) => scope.has(given))?.get(given);

  function within<T>(read: () => T): T {
    scopes.push(new Map());
    try {
      return read();
    } finally {
      scopes.pop();
    }
  }

  function block(): string {
    return within(() => {
      let code = "";
      while (!is("end", "else", "elseif") && next().kind !== "end") code += statement();
      return `{${code}}`;
    });
  }

  function statement(): string {
    if (take(";")) return "";
    if (take("local")) return take("function") ? localFunction() : localNames();
    if (take("if")) return condition();
    if (take("while")) {
      const test = one();
      need("do");
      return `while(r.is(${test}))${closed()}`;
    }
    if (take("for")) return loop();
    if (take("return")) {
      const values = is("end", "else", "elseif") || next().kind === "end" ? [] : list();
      take(";");
      return `return ${several(values)};`;
    }
    if (take("break")) return "break;";
    return assignment();
  }

  function closed(): string {
    const code = block();
    need("end");
    return code;
  }

  function localFunction(): string {
    const own = declare(name());
    return `let ${own}=${functionBody()};`;
  }

  function functionBody(): string {
    return within(() => {
      need("(");
      const parameters: string[] = [];
      while (!is(")")) {
        parameters.push(declare(name()));
        take(",");
      }
      need(")");
      return `(${parameters.join(",")})=>{let _;${closed()}return [];}`;
    });
  }

  function localNames(): string {
    const given = [name()];
    while (take(",")) given.push(name());
    const values = take("=") ? list() : [];
    // Declared after its value, which may use another of the same name.
    const own = given.map(declare);
    return `let [${own.join(",")}]=${several(values)};`;
  }

  function condition(): string {
    const test = one();
    need("then");
    const code = `if(r.is(${test}))${block()}`;
    if (take("elseif")) return `${code}else ${condition()}`;
    if (take("else")) return `${code}else${closed()}`;
    need("end");
    return code;
  }

  function loop(): string {
    const given = [name()];
    while (take(",")) given.push(name());
    if (take("=")) {
      const [from, to] = list().map(single);
      need("do");
      return within(() => {
        const own = declare(given[0] ?? "");
        return `for(let ${own}=r.number(${from}),to_=r.number(${to});${own}<=to_;${own}+=1)${closed()}`;
      });
    }
    need("in");
    if (name() !== "ipairs") throw new Error("A loop goes over ipairs");
    need("(");
    const table = one();
    need(")");
    need("do");
    return within(() => `for(let [${given.map(declare).join(",")}] of r.each(${table}))${closed()}`);
  }

  function assignment(): string {
    const target = suffixed();
    if (target.calls) return `${target.code};`;
    need("=");
    const value = one();
    const place = /^r\.get\((.*)\)$/s.exec(target.code)?.[1];
    return place === undefined ? `${target.code}=${value};` : `r.set(${place},${value});`;
  }

  function list(): Expression[] {
    const found = [expression()];
    while (take(",")) found.push(expression());
    return found;
  }

  /** All values of a list: of its last call there may be several. */
  function several(values: readonly Expression[]): string {
    return `[${values.map(({ code, calls }, n) => (calls && n === values.length - 1 ? `...${code}` : single({ code, calls }))).join(",")}]`;
  }

  const single = ({ code, calls }: Expression): string => (calls ? `${code}[0]` : code);
  const one = () => single(expression());

  function expression(level = 0): Expression {
    const operators = levels[level];
    if (!operators) return unary();
    let left = expression(level + 1);
    for (;;) {
      const { kind, text } = next();
      const combine = kind === "word" || kind === "sign" ? operators[text] : undefined;
      if (!combine) return left;
      at += 1;
      left = { code: combine(single(left), single(expression(level + 1))), calls: false };
    }
  }

  function unary(): Expression {
    if (take("not")) return { code: `!r.is(${single(unary())})`, calls: false };
    if (take("-")) return { code: `(-r.number(${single(unary())}))`, calls: false };
    if (take("#")) return { code: `r.length(${single(unary())})`, calls: false };
    const { kind, text } = next();
    if (kind === "number" || kind === "text") at += 1;
    if (kind === "number") return { code: text, calls: false };
    if (kind === "text") return { code: JSON.stringify(text), calls: false };
    if (take("true")) return { code: "true", calls: false };
    if (take("false")) return { code: "false", calls: false };
    if (take("nil")) return { code: "undefined", calls: false };
    if (take("{")) return tableOrFields();
    if (take("function")) return { code: functionBody(), calls: false };
    return suffixed();
  }

  /** A list, or names with values. */
  function tableOrFields(): Expression {
    const values: Expression[] = [];
    const fields: string[] = [];
    while (!take("}")) {
      const isField = next().kind === "name" && all[at + 1]?.text === "=" && all[at + 1]?.kind === "sign";
      if (isField) {
        const field = name();
        need("=");
        fields.push(`[${JSON.stringify(field)},${one()}]`);
      } else values.push(expression());
      take(",");
    }
    if (fields.length > 0 && values.length > 0) throw new Error("A table of both kinds is not known here");
    return { code: fields.length > 0 ? `new Map([${fields}])` : `r.table(${several(values)})`, calls: false };
  }

  function suffixed(): Expression {
    let found = primary();
    for (;;) {
      if (take(".")) found = { code: `r.get(${single(found)},${JSON.stringify(name())})`, calls: false };
      else if (take("[")) {
        const key = one();
        need("]");
        found = { code: `r.get(${single(found)},${key})`, calls: false };
      } else if (take("(")) {
        const values = is(")") ? [] : list();
        need(")");
        found = { code: `r.call(${single(found)},...${several(values)})`, calls: true };
      } else return found;
    }
  }

  function primary(): Expression {
    if (take("(")) {
      const inner = one();
      need(")");
      return { code: `(${inner})`, calls: false };
    }
    const given = name();
    return { code: variable(given) ?? `globals[${JSON.stringify(given)}]`, calls: false };
  }

  const code = block();
  if (next().kind !== "end") throw new Error(`"${next().text}" is not expected here`);
  return code;
}
