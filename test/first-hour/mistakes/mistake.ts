import type { ErrorCode } from '../../../src/index.js';

/** Something that a newcomer does, and what is said of it. */
export interface Mistake {
  /** Ends "somebody …". */
  readonly who: string;
  /** Of the error; a warning leaves the session at work; or how the command ends. */
  readonly gets: ErrorCode | 'a warning' | 'exit status 1' | 'exit status 2';
  /** What was wrong, where, and what to do. */
  readonly wrong: RegExp;
  readonly where: RegExp;
  readonly remedy: RegExp;
  /** Of a command: what is printed. */
  readonly by: () => unknown;
}
