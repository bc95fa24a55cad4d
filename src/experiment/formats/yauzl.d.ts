/** The part of yauzl 3 that is used; the package carries no types. */
declare module "yauzl" {
  import type { Readable } from "node:stream";
  export interface Entry {
    readonly fileName: string;
    readonly compressionMethod: number;
    readonly compressedSize: number;
    readonly relativeOffsetOfLocalHeader: number;
    readonly fileNameLength: number;
    readonly uncompressedSize: number;
    readonly crc32: number;
    isEncrypted(): boolean;
  }
  export interface ZipFile {
    readonly entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(
      entry: Entry,
      options?: { readonly decompress?: boolean | null; readonly decodeFileData?: boolean },
    ): Promise<Readable>;
    close(): void;
  }
  export function fromBufferPromise(
    buffer: Buffer,
    options?: { readonly lazyEntries?: boolean; readonly validateEntrySizes?: boolean },
  ): Promise<ZipFile>;
  export function fromFdPromise(
    fd: number,
    options?: {
      readonly lazyEntries?: boolean;
      readonly autoClose?: boolean;
      readonly validateEntrySizes?: boolean;
    },
  ): Promise<ZipFile>;
}
