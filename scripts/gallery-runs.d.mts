/** What a scene leaves on its page of the gallery. */
export function writePage(name: string): Promise<string>;
/** A page without what differs from run to run. */
export function toSteady(markdown: string): string;
