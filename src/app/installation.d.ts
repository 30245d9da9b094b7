export function whyNot(version: string): string | null;
export function loadOrEnd(load: () => Promise<unknown>): Promise<void>;
export function endWith(sentence: string): never;
export function takeEnvFile(): void;
/** The text of a file; empty if there is none. Throws an error of the file system. */
export function textIfThere(path: string): string;
/** The sentence for an error of the file system. Throws any other error again. */
export function unreadableFile(path: string, error: unknown): string;
