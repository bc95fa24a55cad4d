export const SECTIONS: readonly {
  readonly title: string;
  readonly scenes: readonly (readonly [name: string, words: string])[];
}[];
export function renderIndex(): string;
export function picturesOf(name: string): readonly string[];
