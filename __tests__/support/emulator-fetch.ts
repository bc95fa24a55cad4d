import type { Emulator } from "../../src/emulator/emulator.ts";

/** The response of an emulator in this process, without a socket. */
export async function fetchFrom(emulator: Emulator, request: Request): Promise<Response> {
  const { status, headers, body } = await emulator.answer(request, "127.0.0.1");
  return new Response(status === 204 ? null : body, { status, headers });
}
