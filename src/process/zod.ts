import * as zod from "zod";

// The app imports this file as "#zod". It is zod, but a schema is made when it is first used: making all 5,700 at the start takes a tenth
// of it and 10 MB, and most of them are never used.
export * from "zod";

/** A schema that is not made yet, and how it is made. */
interface Later {
  made: object | undefined;
  make: () => object;
  /** Its methods that were used. */
  bound?: Map<PropertyKey, unknown>;
}

/** Each stand-in with what it stands for. */
const laters = new WeakMap<object, Later>();

/** The methods that make a schema of a schema. On a stand-in, they give another one. Any other method has the schema made. */
const chained: ReadonlySet<PropertyKey> = new Set<keyof zod.ZodType | keyof zod.ZodObject | keyof zod.ZodString>([
  ...(["optional", "nullable", "nullish", "default", "prefault", "catch", "readonly", "array", "or", "pipe"] as const),
  ...(["transform", "refine", "superRefine", "meta", "describe", "register", "min", "max", "length"] as const),
  ...(["regex", "trim", "toLowerCase", "extend", "safeExtend", "pick", "omit", "partial"] as const),
]);

const handler: ProxyHandler<Later> = {
  get(later, name) {
    if (chained.has(name)) return (...args: unknown[]) => chain(later, name, args);
    const schema = schemaOf(later);
    const value: unknown = Reflect.get(schema, name);
    if (typeof value !== "function") return value;
    // Bound, so that zod works with the schema alone: its registries know nothing of a stand-in. Once, since each record is parsed by it.
    later.bound ??= new Map();
    if (!later.bound.has(name)) later.bound.set(name, value.bind(schema));
    return later.bound.get(name);
  },
  has: (later, name) => Reflect.has(schemaOf(later), name),
  getPrototypeOf: (later) => Reflect.getPrototypeOf(schemaOf(later)),
};

function chain(later: Later, name: PropertyKey, args: unknown[]): unknown {
  const made = () => Reflect.get(schemaOf(later), name).apply(schemaOf(later), args.map(withoutStandIns));
  // Without arguments it only reads.
  return name === "meta" && args.length === 0 ? made() : standIn(made);
}

function standIn(make: () => object): object {
  const later: Later = { made: undefined, make };
  const schema = new Proxy(later, handler);
  laters.set(schema, later);
  return schema;
}

function schemaOf(later: Later): object {
  later.made ??= unwrap(later.make());
  return later.made;
}

/** An argument for zod, with the schemas themselves: as it is, in a list or in a shape. */
function withoutStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap);
  if (!isPlain(value)) return unwrap(value);
  const found = Object.getOwnPropertyDescriptors(value);
  // A getter stays one: a shape that contains itself is read later.
  for (const field of Object.values(found)) if ("value" in field) field.value = unwrap(field.value);
  return Object.defineProperties({}, found);
}

/** The schema itself, where a value stands for one. */
function unwrap<T>(value: T): T | object {
  const later = typeof value === "object" && value !== null ? laters.get(value) : undefined;
  return later ? schemaOf(later) : value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || laters.has(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** The same function, but the schema that it makes is made when it is first used. */
export function late<Make extends (...args: never[]) => object>(make: Make): Make {
  return new Proxy(make, { apply: (_target, self, args) => standIn(() => Reflect.apply(make, self, args)) });
}

/** A function of zod's own, which gets the schemas themselves. */
function ofZod<Make extends (...args: never[]) => object>(make: Make): Make {
  return new Proxy(make, {
    apply: (_target, self, args) => standIn(() => Reflect.apply(make, self, args.map(withoutStandIns))),
  });
}

export const array = ofZod(zod.array);
export const boolean = ofZod(zod.boolean);
export const custom = ofZod(zod.custom);
export const discriminatedUnion = ofZod(zod.discriminatedUnion);
export const email = ofZod(zod.email);
export const int = ofZod(zod.int);
export const json = ofZod(zod.json);
export const literal = ofZod(zod.literal);
export const looseObject = ofZod(zod.looseObject);
export const number = ofZod(zod.number);
export const object = ofZod(zod.object);
export const preprocess = ofZod(zod.preprocess);
export const record = ofZod(zod.record);
export const strictObject = ofZod(zod.strictObject);
export const string = ofZod(zod.string);
export const tuple = ofZod(zod.tuple);
export const union = ofZod(zod.union);
export const unknown = ofZod(zod.unknown);
const lateEnum = ofZod(zod.enum);
const lateUndefined = ofZod(zod.undefined);

export { lateEnum as enum, lateUndefined as undefined };

/** The JSON Schema of a schema. */
export const toJSONSchema = new Proxy(zod.toJSONSchema, {
  apply: (target, self, [schema, ...args]) => Reflect.apply(target, self, [unwrap(schema), ...args]),
});
