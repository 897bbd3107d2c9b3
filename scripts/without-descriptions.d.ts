export function withoutDescriptions(path: string, text: string): string;
