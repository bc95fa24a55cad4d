export const SCENES: Readonly<Record<string, unknown>>;
