export function whyNot(version: string): string | null;
export function loadOrEnd(load: () => Promise<unknown>): Promise<void>;
export function end(sentence: string): never;
