export function answersOf(wrong: number): string;
