export const SCENARIO: string;
export function toHtml(markdown: string): string;
export function toFingerprint(html: string): string;
export function fill(url: string): Promise<void>;
export function findComparison(url: string): Promise<string>;
