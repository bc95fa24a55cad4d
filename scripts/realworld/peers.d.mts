export interface Situation {
  readonly name: string;
  readonly slow?: boolean;
}
export interface Played {
  readonly exit: number | null;
  readonly requests: number;
  readonly writes: number;
  readonly revisions: number;
  readonly deployments: number;
  readonly output: string;
}
export const SITUATIONS: readonly Situation[];
export function createOwn(root: string): object;
export function play(
  peer: object,
  situation: Situation,
  options?: { readonly timeScale?: number },
): Promise<Played>;
