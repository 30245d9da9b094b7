import { isObject, type Json } from "../json.ts";

/** Told where something is wrong (a JSON pointer) and why. */
export type Fault = (at: string, why: string) => void;

/** Checks one value of a payload and names every fault in it. */
export type Rule = (value: unknown, at: string, fault: Fault) => void;

/** The fields of one kind of object. `type` is checked by whoever chose the shape. */
export interface Shape {
  required?: Record<string, Rule>;
  optional?: Record<string, Rule>;
  /** What one field alone cannot tell. */
  also?: (object: Json, at: string, fault: Fault) => void;
}

export function string(max: number, min = 0): Rule {
  return (value, at, fault) => {
    if (typeof value !== "string") return fault(at, "must be a string");
    if (value.length < min) fault(at, `must be more than ${min - 1} characters`);
    if (value.length > max) fault(at, `must be less than ${max + 1} characters`);
  };
}

export function pattern(expression: RegExp, name: string): Rule {
  return (value, at, fault) => {
    if (typeof value !== "string" || !expression.test(value)) fault(at, `must be ${name}`);
  };
}

export function url(max: number): Rule {
  const length = string(max, 1);
  return (value, at, fault) => {
    length(value, at, fault);
    if (typeof value === "string" && !URL.canParse(value)) fault(at, "must be a valid URL");
  };
}

export const flag: Rule = (value, at, fault) => {
  if (typeof value !== "boolean") fault(at, "must be a boolean");
};

export function whole(min: number, max: number): Rule {
  return (value, at, fault) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return fault(at, "must be an integer");
    if (value < min || value > max) fault(at, `must be between ${min} and ${max}`);
  };
}

export const anyObject: Rule = (value, at, fault) => {
  if (!isObject(value)) fault(at, "must be an object");
};

export function oneOf(...allowed: string[]): Rule {
  return (value, at, fault) => {
    if (typeof value !== "string" || !allowed.includes(value)) fault(at, `must be one of ${allowed.join(", ")}`);
  };
}

export function list(rule: Rule, max: number, min = 0): Rule {
  return (value, at, fault) => {
    if (!Array.isArray(value)) return fault(at, "must be an array");
    if (value.length < min) fault(at, `no fewer than ${min} items allowed`);
    if (value.length > max) fault(at, `no more than ${max} items allowed`);
    value.forEach((item, index) => {
      rule(item, `${at}/${index}`, fault);
    });
  };
}

/** An object of one of several types, told apart by its `type`. */
export function typed(shapes: Record<string, Shape>, ...allowed: string[]): Rule {
  return (value, at, fault) => {
    if (!isObject(value)) return fault(at, "must be an object");
    const { type } = value;
    const known = typeof type === "string" && (allowed.length === 0 || allowed.includes(type));
    const found = known ? shapes[type] : undefined;
    if (!found) return fault(`${at}/type`, `unsupported type: ${String(type)}`);
    checkShape(found, value, at, fault, ["type"]);
  };
}

export function shape(fields: Shape): Rule {
  return (value, at, fault) => {
    if (!isObject(value)) return fault(at, "must be an object");
    checkShape(fields, value, at, fault, []);
  };
}

function checkShape(fields: Shape, object: Json, at: string, fault: Fault, implied: string[]): void {
  const { required = {}, optional = {} } = fields;
  for (const [name, rule] of Object.entries(required)) {
    if (object[name] === undefined) fault(at, `missing required field: ${name}`);
    else rule(object[name], `${at}/${name}`, fault);
  }
  for (const [name, rule] of Object.entries(optional)) {
    if (object[name] !== undefined) rule(object[name], `${at}/${name}`, fault);
  }
  for (const name of Object.keys(object)) {
    if (name in required || name in optional || implied.includes(name)) continue;
    if (object[name] !== undefined) fault(at, `invalid additional property: ${name}`);
  }
  fields.also?.(object, at, fault);
}

/** Runs a rule and returns its faults in the words of Slack's `response_metadata.messages`. */
export function faultsOf(rule: Rule, value: unknown, at: string): string[] {
  const faults: string[] = [];
  rule(value, at, (where, why) => faults.push(`[ERROR] ${why} [json-pointer:${where}]`));
  return faults;
}
