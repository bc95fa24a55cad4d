export interface DemoLine {
  readonly text: string;
  readonly atMs: number;
}
export function recordDemo(): Promise<readonly DemoLine[]>;
export function renderDemo(lines: readonly DemoLine[], theme: "light" | "dark"): string;
export function linesOf(svg: string): readonly string[];
