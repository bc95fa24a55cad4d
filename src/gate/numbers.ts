/** Pieces of 32 KB, which begin with 128 bytes: a metric of a single row takes no more. */
const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS,
  SMALLEST_PIECE = 16;

/** An array buffer from Node 22 on. */
type Transferable = ArrayBuffer & { readonly transfer?: (bytes: number) => ArrayBuffer };

/**
 * A list of numbers that grows at any position, without a place for what was never set; in pieces,
 * so that growing copies little. A piece doubles up to its full length: a file may have a hundred
 * thousand metrics in a single row.
 */
export function createNumbers(
  Piece: Float64ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor,
  unset = 0,
) {
  const pieces: (InstanceType<typeof Piece> | undefined)[] = [];
  const grow = (at: number, place: number): InstanceType<typeof Piece> => {
    // After a full piece, most positions have a number.
    let length = pieces[at - 1]?.length === PIECE ? PIECE : SMALLEST_PIECE;
    while (length <= place) length *= 2;
    const longer = new Piece(length).fill(unset);
    longer.set(pieces[at] ?? []);
    pieces[at] = longer;
    return longer;
  };
  return {
    get: (at: number): number => pieces[at >> PIECE_BITS]?.[at & (PIECE - 1)] ?? unset,
    set: (at: number, value: number): void => {
      const place = at & (PIECE - 1);
      let piece = pieces[at >> PIECE_BITS];
      if (piece === undefined || place >= piece.length) piece = grow(at >> PIECE_BITS, place);
      piece[place] = value;
    },
    /** Takes the numbers out, piece by piece, so that a list and its copy are never both in memory. */
    drain: (take: (at: number, value: number) => void): void => {
      for (let at = 0; at < pieces.length; at++) {
        const piece = pieces[at];
        if (piece === undefined) continue;
        for (let place = 0; place < piece.length; place++) take(at * PIECE + place, piece[place]!);
        pieces[at] = undefined;
      }
    },
    /** Takes everything out. From Node 22 on, the memory is free at once and not at some collection. */
    clear: (): void => {
      for (const piece of pieces) (piece?.buffer as Transferable | undefined)?.transfer?.(0);
      pieces.length = 0;
    },
  };
}

/** A growing list of numbers. */
export type Numbers = ReturnType<typeof createNumbers>;
