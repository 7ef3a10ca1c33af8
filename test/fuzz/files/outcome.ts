import { SardonyxError } from '../../../src/base/errors.js';
import { checkTensor } from '../../../src/tensor/check-tensor.js';
import { isTensorValue } from '../../../src/tensor/tensor-value.js';

/** What came of a trial: a word to count it by, and why it will not do, where it will not. */
export interface Outcome {
  readonly word: string;
  readonly problem?: string;
}

export interface Settled {
  readonly results?: Readonly<Record<string, unknown>>;
  readonly thrown?: unknown;
}

/** Waits for what `attempt` gives or throws. */
export async function settled(attempt: () => Promise<Readonly<Record<string, unknown>>>): Promise<Settled> {
  try {
    return { results: await attempt() };
  } catch (thrown) {
    return { thrown };
  }
}

export const outcomeOf = async (attempt: () => Promise<Readonly<Record<string, unknown>>>): Promise<Outcome> =>
  judge(await settled(attempt));

function judge({ results, thrown }: Settled): Outcome {
  if (!results) return judgeThrown(thrown);
  try {
    for (const value of Object.values(results)) checkWhole(value);
    return { word: 'result' };
  } catch (error) {
    return { word: 'broken result', problem: `a broken result: ${(error as Error).message}` };
  }
}

function checkWhole(value: unknown): void {
  if (value === undefined) throw new Error('an output is undefined');
  if (isTensorValue(value)) checkTensor(value);
  else if (Array.isArray(value)) value.forEach(checkWhole);
}

/** Lengths that nobody asked for. */
const NONSENSE = /array length: (-|NaN|\d*\.)|^Invalid array length/;

function judgeThrown(thrown: unknown): Outcome {
  if (!(thrown instanceof SardonyxError))
    return { word: 'no SardonyxError', problem: `no SardonyxError: ${placeOf(thrown)}` };
  const { code, complaint, cause } = thrown;
  if (code === 'INTERNAL') return { word: code, problem: `INTERNAL ${complaint}: ${placeOf(cause ?? thrown)}` };
  if (code === 'OUT_OF_MEMORY' && NONSENSE.test((cause as Error)?.message))
    return { word: 'nonsensical size', problem: `OUT_OF_MEMORY ${complaint}: ${placeOf(cause)}` };
  return { word: code };
}

/** The message of an error and the innermost places in Sardonyx. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => /\/(src|bindings|build)\//.test(line));
  const places = frames
    .slice(0, 3)
    .map((line) => line.replace(/^\s*at /, '').replaceAll(/\(?file:\S*\/((src|bindings|build)\/\S*?)\)?$/g, '$1'));
  return [`${error.name}: ${error.message.slice(0, 200)}`, ...places].join(' < ');
}
