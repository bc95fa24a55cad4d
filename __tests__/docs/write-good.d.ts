declare module "write-good" {
  /** What may be wrong with a text; the checks that are named can be switched off. */
  export default function writeGood(
    text: string,
    checks?: Readonly<Record<string, boolean>>,
  ): readonly { readonly index: number; readonly offset: number; readonly reason: string }[];
}
