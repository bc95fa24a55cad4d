interface Transformer {
  readonly process: (
    source: string,
    path: string,
    options: { readonly supportsStaticESM: boolean },
  ) => { readonly code: string };
}
/** What Jest asks for a transformer. */
declare const transform: { readonly createTransformer: (options: object) => Transformer };
export default transform;
