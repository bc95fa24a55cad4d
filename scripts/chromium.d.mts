/** A page of a headless Chromium. */
export interface Page {
  evaluate(expression: string): Promise<any>;
  goto(url: string): Promise<void>;
  show(html: string): Promise<void>;
  press(key: "Tab" | "Enter"): Promise<void>;
  picture(maxHeight?: number): Promise<Buffer>;
  close(): Promise<unknown>;
}

/** A running headless Chromium. */
export interface Browser {
  open(options?: {
    readonly width?: number;
    readonly height?: number;
    readonly scale?: number;
    readonly dark?: boolean;
  }): Promise<Page>;
  close(): Promise<void>;
}

export function findChromium(env?: Readonly<Record<string, string | undefined>>): string | null;
export function startChromium(binary: string): Promise<Browser>;
