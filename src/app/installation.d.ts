export function whyNot(version: string): string | null;
export function loadOrEnd(load: () => Promise<unknown>): Promise<void>;
export function endWith(sentence: string): never;
export function takeEnvFile(): void;
