/** The part of yauzl 3 that is used; the package has no types. */
declare module "yauzl" {
  import type { EventEmitter } from "node:events";
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
  }
  /** Source of an archive's bytes; emits nothing, since its creator closes it. */
  export interface RandomReader extends EventEmitter {
    ref(): void;
    unref(): void;
    read(
      into: Buffer,
      from: number,
      length: number,
      position: number,
      done: (error: unknown, bytes?: number) => void,
    ): void;
  }
  export function fromRandomAccessReaderPromise(
    reader: RandomReader,
    totalSize: number,
    options?: { readonly autoClose?: boolean },
  ): Promise<ZipFile>;
}
