/** What a scene leaves on its page of the gallery; `nodeArgs` come before each script that it runs. */
export function writePage(name: string, nodeArgs?: readonly string[]): Promise<string>;
/** A page without what differs from run to run. */
export function toSteady(markdown: string): string;
