import { hinted } from '../advice/hinted.js';
import { unreadable } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import { given, isGiven } from '../base/given.js';
import { shown } from '../base/shown.js';
import { asTensor, type Tensor } from '../tensor/tensor.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import type { AnyOutputs, NameOf, ResultOf } from './signature.js';

/** Outputs to compute: names, or names with a tensor to write into (null: a new one). */
export type Fetches<O = AnyOutputs> = readonly NameOf<O>[] | Targets<O>;

type Targets<O> = { readonly [N in keyof O]?: Extract<ResultOf<O[N]>, TensorValue> | null };

/**
 * The outputs of a run by name. Their types default to tensors; a sequence is an array, a map is a Map, an absent optional is null.
 */
export type Results<O = AnyOutputs> = { [N in keyof O]: ResultOf<O[N]> };

/** The outputs that are fetched: those in a list or object of known names, otherwise possibly all. */
export type Fetched<O, F> = F extends readonly (infer N)[]
  ? number extends F['length']
    ? O
    : { [K in N & string]: K extends keyof O ? O[K] : never }
  : F extends object
    ? { [K in keyof F & string]: K extends keyof O ? O[K] : never }
    : O;

const isList = (fetches: Fetches): fetches is readonly string[] => Array.isArray(fetches);

export const isFetched = (fetches: Fetches | undefined, name: string): boolean =>
  fetches === undefined || (isList(fetches) ? fetches.includes(name) : isGiven(fetches, name));

export function checkFetches(fetches: Fetches, outputNames: readonly string[]): void {
  try {
    if (isList(fetches)) for (const name of fetches) checkOutput(name, outputNames);
    else
      for (const name in fetches) {
        checkOutput(name, outputNames);
        checkTarget(name, fetches[name]);
      }
  } catch (thrown) {
    throw unreadable('the fetches', thrown);
  }
}

/** Refuses a target that an output cannot be written into. */
export function checkTarget(name: string, target: { readonly data: unknown } | null | undefined): void {
  if (target === null || target === undefined || ArrayBuffer.isView(target.data)) return;
  throw new SardonyxError('INVALID_TYPE', 'expected a numeric tensor or null', { value: name });
}

function checkOutput(name: string, outputNames: readonly string[]): void {
  if (!outputNames.includes(name)) throw noOutput(name, outputNames);
}

function noOutput(name: string, outputNames: readonly string[]): SardonyxError {
  const known = outputNames.map((output) => `"${output}"`).join(', ');
  if (typeof name !== 'string')
    return new SardonyxError('INVALID_ARGUMENT', `fetches must be names of outputs, ${known}; got ${shown(name)}`);
  const error = new SardonyxError('UNKNOWN_OUTPUT', `the model has no such output; its outputs are ${known}`, {
    value: name,
  });
  return hinted(error, ({ didYouMean }, complaint) => complaint + didYouMean(name, outputNames));
}

/** The tensor that an output is written into, if any. */
export const givenFor = (fetches: Fetches | undefined, name: string): Tensor | null | undefined =>
  fetches === undefined || isList(fetches) ? undefined : given(fetches, name);

/** Collects the values of the fetched outputs by name. */
export function collect(
  outputs: readonly { readonly name: string }[],
  values: readonly HostValue[],
  fetches: Fetches | undefined,
): Results {
  const results: Record<string, HostValue> = {};
  for (let i = 0; i < outputs.length; i++) {
    const { name } = outputs[i] as { readonly name: string };
    if (isFetched(fetches, name)) put(results, name, givenFor(fetches, name) ?? asTensor(values[i] as HostValue));
  }
  return results as Results;
}

/** Sets a property with any name. `Object.fromEntries` would do so too, but takes as long as the rest of a small run. */
function put(results: Record<string, HostValue>, name: string, value: HostValue): void {
  if (name in results)
    Object.defineProperty(results, name, { value, configurable: true, enumerable: true, writable: true });
  else results[name] = value;
}
