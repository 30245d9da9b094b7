import * as z from "#zod";

declare const mark: unique symbol;

/**
 * Text that is no mrkdwn: what others wrote, such as a machine's name, and words around it. To the compiler it may be a symbol, so
 * that neither `${name}` nor a parameter for mrkdwn takes it: only `code` and `prose` (views/text.ts) turn it into mrkdwn.
 */
export type PlainText = string | (symbol & { readonly [mark]: never });

export const PlainText = z.custom<PlainText>((value) => typeof value === "string");

/** Words around plain text, for a label or a dialog: plainly`Cancel ${name}`. */
export function plainly(words: TemplateStringsArray, ...values: (PlainText | number)[]): PlainText {
  return String.raw({ raw: words }, ...values);
}

/** The order of two names in a list. */
export function byCharacters(one: PlainText, other: PlainText): number {
  return characters(one).localeCompare(characters(other));
}

/** The characters of plain text, to compare, sort or send them. They are not for a message. */
export function characters(text: PlainText): string {
  return typeof text === "string" ? text : "";
}

/** Characters that no reader sees, or that change the direction of writing: the Unicode standard says which a font may ignore. */
export const invisible = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
