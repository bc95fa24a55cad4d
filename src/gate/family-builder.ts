import { adjustFamily, type FamilyResult, type Question } from "./family.ts";

/** Collects the questions of a run and answers them together. */
export interface FamilyBuilder {
  /** A number to ask for the answer with; questions that are equal example by example count once. */
  readonly add: (question: Question) => number;
  readonly close: (alpha: number) => Family;
}

/** The answers: each chance as it stands among all gates of the run. */
export interface Family extends Pick<FamilyResult, "level" | "size"> {
  readonly p: (question: number) => number;
  /** What that has to be under: the question's own part of alpha. */
  readonly bar: (question: number) => number;
  readonly isProven: (question: number) => boolean;
}

/** Creates an empty family. */
export function createFamily(): FamilyBuilder {
  const questions: Question[] = [];
  const same = (a: Question, b: Question): boolean =>
    a.p === b.p &&
    a.open === b.open &&
    a.role === b.role &&
    a.weight === b.weight &&
    a.influence !== null &&
    b.influence !== null &&
    a.influence.length === b.influence.length &&
    a.influence.every((value, i) => value === b.influence![i]);
  return {
    add: (question) => {
      const known = questions.findIndex((other) => same(other, question));
      return known >= 0 ? known : questions.push(question) - 1;
    },
    close: (alpha) => {
      const { adjusted, bars, level, size } = adjustFamily(questions, alpha);
      return {
        level,
        size,
        // What can show nothing costs the others nothing, but is told among all of them.
        p: (at) => {
          const { open, p } = questions[at]!;
          return open ? adjusted[at]! : Math.min(1, p * (size + 1));
        },
        isProven: (at) => questions[at]!.open && adjusted[at]! < bars[at]!,
        bar: (at) => bars[at]!,
      };
    },
  };
}
