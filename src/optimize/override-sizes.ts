import { adviseOnce } from '../advice/warn.js';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { type Size, substitute } from '../graph/sizes.js';

/** Sets dynamic dimensions of the inputs and outputs to given sizes. */
export async function overrideSizes(graph: Graph, sizes: Readonly<Record<string, number>>): Promise<void> {
  const unused = new Set(Object.keys(sizes));
  for (const [symbol, size] of Object.entries(sizes))
    if (!Number.isSafeInteger(size) || size < 0)
      throw new SardonyxError(
        'INVALID_ARGUMENT',
        `freeDimensionOverrides: "${symbol}" must be a whole number from 0 on, not ${JSON.stringify(size) ?? size}`,
      );
  const sizeOf = (size: Size) =>
    substitute(size, (name) => {
      unused.delete(name);
      return sizes[name];
    });
  const values = [...graph.inputs, ...graph.outputs];
  const types = values.map(({ type }) =>
    type?.kind === 'tensor' && type.dims ? { ...type, dims: type.dims.map((d) => sizeOf(d)) } : type,
  );
  for (const name of unused)
    await adviseOnce(`freeDimensionOverrides: the model has no size "${name}"`, ({ unknownSymbol }, short) =>
      unknownSymbol(short, name, graph),
    );
  for (const [i, type] of types.entries()) if (type) (values[i] as Value).type = type;
}
