/** The part of yauzl 3 that is used; the package has no types. */
declare module "yauzl" {
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
  export function fromFdPromise(
    fd: number,
    options: { readonly autoClose: false },
  ): Promise<ZipFile>;
}
