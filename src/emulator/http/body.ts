import { nestsDeeper, type Json } from "../../model/json.ts";
import { refuse, refuseAll } from "./reply.ts";

/** A body as it came; undefined where there is none. */
export interface Sent {
  readonly body: Json | undefined;
  readonly bytes: number;
}

/** Reads a body of JSON, or refuses what is too large, no JSON, or nested too deeply. */
export async function readJson(request: Request, mostBytes: number): Promise<Sent> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) return refuse(413, "Request Entity Too Large");
    chunks.push(chunk);
  }
  let body: Json | undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    body = text.trim() === "" ? undefined : (JSON.parse(text) as Json);
  } catch {
    return refuseAll([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }]);
  }
  return nestsDeeper(body)
    ? refuseAll([{ loc: ["body"], msg: "The body nests too deeply", type: "recursion_loop" }])
    : { body, bytes };
}
