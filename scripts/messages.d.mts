/** What one file of the sources says. */
export interface FileMessages {
  readonly file: string;
  readonly messages: readonly string[];
}
export function collectMessages(folder?: string): readonly FileMessages[];
export function messagesOf(text: string): readonly string[];
export function sentenceLengths(messages: readonly string[]): readonly number[];
export function renderMessages(): string;
