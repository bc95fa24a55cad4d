export const SHAPES: Readonly<Record<string, string>>;
export const REFUSED: Readonly<Record<string, string>>;
export function producersTable(): string[];
