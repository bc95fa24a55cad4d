export function writePage(name: string): Promise<string>;
export function toSteady(markdown: string): string;
