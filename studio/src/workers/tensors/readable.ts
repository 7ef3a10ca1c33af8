import type { TensorValue } from 'sardonyx';
import type { TensorReader } from 'sardonyx/model';

/** A tensor that can be read in parts, whether it is in a model file or comes from a run. */
export type Readable = Pick<TensorReader, 'type' | 'dims' | 'count' | 'read'>;

/** Wraps a tensor in memory. */
export function readableOf({ type, dims, data }: TensorValue): Readable {
  const count = dims.reduce((product, size) => product * size, 1);
  const share = data.length / Math.max(count, 1);
  return {
    type,
    dims,
    count,
    read: async (begin, end) => ({
      type,
      dims: [end - begin],
      data: data.slice(begin * share, Math.ceil(end * share)) as TensorValue['data'],
    }),
  };
}
