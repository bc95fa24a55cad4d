import { FAULT_KINDS } from "../../src/emulator/http/fault.ts";

/** Faults that any request may meet; an expired address is only that of an upload. */
export const REQUEST_FAULTS = FAULT_KINDS.filter((kind) => kind !== "expired");
