import { addAbortSignal, type Readable } from "node:stream";
import { decodeText } from "../files/regular-file.ts";
import { WorkspaceError } from "../files/workspace-error.ts";

/** How problems refer to standard input. */
const STANDARD_INPUT = "stdin";

/** Reads a stream to its end as UTF-8; rejects beyond `maxBytes`, or when the signal aborts. */
export async function readStandardInput(
  stream: Readable,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > maxBytes)
      throw new WorkspaceError(
        `${STANDARD_INPUT} has more than ${maxBytes} bytes; a spec has not, so check what is piped in`,
      );
    chunks.push(chunk as Uint8Array);
  }
  return decodeText(Buffer.concat(chunks), STANDARD_INPUT);
}
