export const WITHOUT_FILES: Readonly<Record<string, string>>;
export function producersTable(): string[];
