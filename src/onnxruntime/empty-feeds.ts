import type { Feeds } from '../session/feeds.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import type { SessionTypes } from './session-types.js';

const isWhole = (feed: HostValue): feed is TensorValue => isTensorValue(feed) && Array.isArray(feed.dims);

/**
 * Resizes tensors without elements to the sizes that other feeds give their dimension names. transformers.js feeds an empty cache as [0,
 * heads, 0, size] if it does not know the batch dimension's name, which onnxruntime accepts.
 */
export function fitEmptyFeeds(feeds: Feeds, inputs: readonly SessionTypes.ValueMetadata[]): Feeds {
  const empty = Object.entries(feeds).filter(([, feed]) => isWhole(feed) && elementCount(feed.dims) === 0);
  if (empty.length === 0) return feeds;
  const shapes = new Map(inputs.map((input) => [input.name, input.isTensor ? input.shape : []]));
  const sizes = new Map<number | string, number>();
  for (const [name, feed] of Object.entries(feeds))
    if (isWhole(feed) && elementCount(feed.dims) > 0)
      shapes.get(name)?.forEach((symbol, axis) => {
        if (typeof symbol === 'string') sizes.set(symbol, feed.dims[axis] as number);
      });
  const fitted = empty.map(([name, feed]) => {
    if (!isWhole(feed)) return [name, feed];
    const dims = feed.dims.map((dim, axis) => (dim === 0 ? (sizes.get(shapes.get(name)?.[axis] ?? '') ?? 0) : dim));
    return [name, elementCount(dims) === 0 ? { ...feed, dims } : feed];
  });
  return { ...feeds, ...Object.fromEntries(fitted) };
}
