export function withoutCardTexts(path: string, text: string): string;
export function withoutDescriptions(path: string, text: string): string;
