export function whyNot(version: string): string | null;
