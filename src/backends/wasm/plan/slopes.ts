import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { type Program, STEP_PARAMS } from './program.js';

/** The 32-bit words of a program that differ from size to size, by their numbers, and by how much with each step. */
export interface Slopes {
  readonly words: readonly number[];
  readonly steps: readonly number[];
}

/** Bytes from the start of a program that are left out: tables that are written anew. */
export type Span = readonly [begin: number, end: number];

/** The slopes of programs for the first, the second and the last of some sizes, `steps` behind the first; undefined where these are on no line. */
export function slopesOf(
  { i32 }: Engine,
  [first, second, last]: readonly [Program, Program, Program],
  steps: number,
  besides: readonly Span[],
): Slopes | undefined {
  const own = ownWords(first);
  const skipped = new Set(besides.flatMap(([begin, end]) => wordsIn(begin, end)));
  const slopes = { words: [] as number[], steps: [] as number[] };
  const at = (program: Program, word: number) => i32[program.address / 4 + word] as number;
  for (let word = 0; word < first.bytes / 4; word++) {
    if (skipped.has(word)) continue;
    const moved = (program: Program) => at(program, word) - (own.has(word) ? program.address - first.address : 0);
    const [a, b, c] = [moved(first), moved(second), moved(last)];
    const slope = (b - a) | 0;
    if (((c - a) | 0) !== Math.imul(slope, steps)) return undefined;
    if (slope === 0) continue;
    slopes.words.push(word);
    slopes.steps.push(slope);
  }
  return slopes;
}

const wordsIn = (begin: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - begin) / 4) }, (_, i) => begin / 4 + i);

/** Words that hold addresses inside the program itself. */
function ownWords({ steps, pointers }: Program): Set<number> {
  const ofSteps = Array.from({ length: steps }, (_, step) => (step * STEP_BYTES) / 4 + STEP_PARAMS);
  return new Set([...ofSteps, ...pointers.flatMap(({ own }) => own.map((byte) => byte / 4))]);
}

/** Moves a program on by so many steps, or back. */
export function moveProgram({ i32 }: Engine, { address }: Program, { words, steps }: Slopes, by: number): void {
  for (let i = 0; i < words.length; i++) {
    const at = address / 4 + (words[i] as number);
    i32[at] = (i32[at] as number) + Math.imul(steps[i] as number, by);
  }
}
