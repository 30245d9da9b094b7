import { isObject, type Json } from "../wire/json.ts";

/** Takes the place of a fault (a JSON pointer) and its reason. */
export type Report = (at: string, why: string) => void;

/** Checks one value of a payload and reports everything that is wrong with it. */
export type Rule = (value: unknown, at: string, report: Report) => void;

/** The fields of one kind of object. `type` is checked by whoever chose the shape. */
export interface Shape {
  required?: Record<string, Rule>;
  optional?: Record<string, Rule>;
  /** Checks of several fields together. */
  also?: (object: Json, at: string, report: Report) => void;
}

export function string(max: number, min = 0): Rule {
  return (value, at, report) => {
    if (typeof value !== "string") return report(at, "must be a string");
    if (value.length < min) report(at, `must be more than ${min - 1} characters`);
    if (value.length > max) report(at, `must be less than ${max + 1} characters`);
  };
}

export function pattern(expression: RegExp, name: string): Rule {
  return (value, at, report) => {
    if (typeof value !== "string" || !expression.test(value)) report(at, `must be ${name}`);
  };
}

export function url(max: number): Rule {
  const length = string(max, 1);
  return (value, at, report) => {
    length(value, at, report);
    if (typeof value === "string" && !URL.canParse(value)) report(at, "must be a valid URL");
  };
}

export const flag: Rule = (value, at, report) => {
  if (typeof value !== "boolean") report(at, "must be a boolean");
};

export function whole(min: number, max: number): Rule {
  return (value, at, report) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return report(at, "must be an integer");
    if (value < min || value > max) report(at, `must be between ${min} and ${max}`);
  };
}

export const anyObject: Rule = (value, at, report) => {
  if (!isObject(value)) report(at, "must be an object");
};

export function oneOf(...allowed: string[]): Rule {
  return (value, at, report) => {
    if (typeof value !== "string" || !allowed.includes(value)) report(at, `must be one of ${allowed.join(", ")}`);
  };
}

export function list(rule: Rule, max: number, min = 0): Rule {
  return (value, at, report) => {
    if (!Array.isArray(value)) return report(at, "must be an array");
    if (value.length < min) report(at, `no fewer than ${min} items allowed`);
    if (value.length > max) report(at, `no more than ${max} items allowed`);
    value.forEach((item, index) => {
      rule(item, `${at}/${index}`, report);
    });
  };
}

/** An object of one of several types, distinguished by its `type`. */
export function typed(shapes: Record<string, Shape>, ...allowed: string[]): Rule {
  return (value, at, report) => {
    if (!isObject(value)) return report(at, "must be an object");
    const { type } = value;
    const known = typeof type === "string" && (allowed.length === 0 || allowed.includes(type));
    const found = known ? shapes[type] : undefined;
    if (!found) return report(`${at}/type`, `unsupported type: ${String(type)}`);
    checkShape(found, value, at, report, ["type"]);
  };
}

export function shape(fields: Shape): Rule {
  return (value, at, report) => {
    if (!isObject(value)) return report(at, "must be an object");
    checkShape(fields, value, at, report, []);
  };
}

function checkShape(fields: Shape, object: Json, at: string, report: Report, implied: string[]): void {
  const { required = {}, optional = {} } = fields;
  for (const [name, rule] of Object.entries(required)) {
    if (object[name] === undefined) report(at, `missing required field: ${name}`);
    else rule(object[name], `${at}/${name}`, report);
  }
  for (const [name, rule] of Object.entries(optional)) {
    if (object[name] !== undefined) rule(object[name], `${at}/${name}`, report);
  }
  for (const name of Object.keys(object)) {
    if (name in required || name in optional || implied.includes(name)) continue;
    if (object[name] !== undefined) report(at, `invalid additional property: ${name}`);
  }
  fields.also?.(object, at, report);
}

/** Runs a rule and returns its issues in the words of Slack's `response_metadata.messages`. */
export function issuesIn(rule: Rule, value: unknown, at: string): string[] {
  const issues: string[] = [];
  rule(value, at, (where, why) => issues.push(`[ERROR] ${why} [json-pointer:${where}]`));
  return issues;
}
