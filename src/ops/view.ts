import type { Dim } from '../graph/types.js';
import type { Evaluation, Inference } from '../schema/definition.js';
import { like } from './shapes.js';

/** The rules of an operator that only gives the data of input 0 other dims: nothing runs. */
export function viewOf<A>(dims: (c: Inference<A>) => readonly Dim[] | undefined) {
  return {
    infer: (c: Inference<A>) => [like(c, 0, dims(c))],
    isView: true,
    evaluate(c: Evaluation<A>) {
      const { type, data } = c.tensor(0);
      return [{ type, dims: dims(c) as readonly number[], data }];
    },
  };
}
