import type * as z from "#zod";
import type { ApiName } from "../platform/http/errors.ts";
import { fieldsOf, isSecret } from "./fields.ts";

/**
 * The question before a service is interrupted: a fixed text, or a function of the input that returns null if nothing is
 * interrupted.
 */
export type Interrupts<I> = string | ((input: I) => string | null);

/** The same for unparsed input. Input that cannot be parsed interrupts nothing: it is refused earlier. */
export function interruptsOf<I extends z.ZodObject>(
  input: I,
  interrupts: Interrupts<z.output<I>> | undefined,
): ((raw: Record<string, unknown>) => string | null) | null {
  if (interrupts === undefined) return null;
  if (typeof interrupts === "string") return () => interrupts;
  return (raw) => {
    const parsed = input.safeParse(raw);
    return parsed.success ? interrupts(parsed.data) : null;
  };
}

/**
 * A secret that opens the target until the act, and not after it. The act shuts out people who log in with it, so it asks first where it would
 * run at once, and every decision says what ends and who gets the new one.
 */
export interface ReplacedSecret {
  /** "root password" */
  secret: string;
  /** The maker of the new one if no input has it: "The server". */
  maker: string;
  /** Nothing but the name of the act says that it replaces one. */
  guessed?: true;
  /** The platform may store the new one alone. Only a rebuild, which it does not show beforehand, ends the old one. */
  ifRebuilt?: true;
}

/** The secret that an act replaces; a function if the target or the input decides, and null if it replaces none. */
export type Replaces<T, I> = ReplacedSecret | ((call: { target: T; input: I }) => ReplacedSecret | null);

/** The end of the old secret, for the decision and for the answer. */
export function endWords({ secret, ifRebuilt }: ReplacedSecret): string {
  return ifRebuilt
    ? `If the server is rebuilt, the old ${secret} ends. If not, its system keeps the old one.`
    : `The old ${secret} ends.`;
}

/** The sentences of an act that replaces a secret: one of a resold service is in use by its customer. `generated`: the inputs that Rackbell made. */
export function replacedWords(
  { replaces, input }: { replaces: ReplacedSecret | null; input: Record<string, unknown> },
  { api, input: schema }: { api: ApiName; input: z.ZodObject },
  generated: readonly string[],
): string[] {
  if (!replaces) return [];
  const { secret, maker, guessed } = replaces;
  if (guessed)
    return [
      `By its name it may set another ${secret}. Then the old one ends, and the requester alone gets the new one.`,
    ];
  const given = fieldsOf(schema).filter((field) => isSecret(field) && input[field.name] !== undefined);
  const isTyped = given.some(({ name }) => !generated.includes(name));
  const by = given.length > 0 ? "Rackbell" : maker;
  return [
    endWords(replaces),
    isTyped
      ? "The requester typed the new one, and Rackbell shows it to nobody."
      : `${by} makes the new one. The requester alone gets it, once.`,
    ...(api === "reseller" ? ["Your customer needs it from the requester."] : []),
  ];
}
