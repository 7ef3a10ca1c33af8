import { SardonyxError } from '../errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { formatType } from '../graph/types.js';
import { checkTensor } from '../tensor/tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';

/** Values by input name. */
export type Feeds = Readonly<Record<string, HostValue>>;

/**
 * Writes the feeds into `values` by position of the graph's inputs; `undefined` where an input keeps its default.
 * Refuses missing, unknown and ill-typed feeds.
 */
export function orderFeeds(graph: Graph, feeds: Feeds, values: (HostValue | undefined)[]): void {
  for (const name in feeds) if (!hasInput(graph, name)) throw unknown(graph, name);
  for (let i = 0; i < graph.inputs.length; i++) {
    const input = graph.inputs[i] as Value;
    const feed = feeds[input.name];
    if (feed !== undefined) checkFeed(input, feed);
    else if (!input.constant) throw missing(feeds, input);
    values[i] = feed;
  }
}

function hasInput(graph: Graph, name: string): boolean {
  for (let i = 0; i < graph.inputs.length; i++) if (graph.inputs[i]?.name === name) return true;
  return false;
}

const namesOf = (values: readonly Value[]) =>
  values.map(({ name, type }) => `"${name}" (${formatType(type)})`).join(', ');

function missing(feeds: Feeds, { name, type }: Value): SardonyxError {
  const fed = Object.keys(feeds).map((feed) => `"${feed}"`);
  return new SardonyxError('MISSING_FEED', `${formatType(type)} is not fed; fed: ${fed.join(', ') || 'nothing'}`, {
    value: name,
  });
}

const unknown = (graph: Graph, name: string) =>
  new SardonyxError('UNKNOWN_FEED', `the model has no such input; its inputs are ${namesOf(graph.inputs)}`, {
    value: name,
  });

function checkFeed({ name, type }: Value, feed: HostValue): void {
  if (!type || type.kind === 'optional') return;
  if (type.kind !== 'tensor') {
    if (isTensorValue(feed))
      throw new SardonyxError('INVALID_TYPE', `must be ${formatType(type)}, not a tensor`, { value: name });
    return;
  }
  if (!isTensorValue(feed))
    throw new SardonyxError('INVALID_TYPE', `must be a tensor, ${formatType(type)}`, { value: name });
  checkTensor(feed, name);
  if (feed.type !== type.element) {
    throw new SardonyxError('INVALID_TYPE', `must be ${formatType(type)}, not ${feed.type}[${feed.dims}]`, {
      value: name,
    });
  }
  checkDims(name, feed, type.dims);
}

function checkDims(name: string, feed: TensorValue, wanted: readonly (number | string)[] | undefined): void {
  if (!wanted) return;
  let fits = feed.dims.length === wanted.length;
  for (let d = 0; fits && d < wanted.length; d++) fits = typeof wanted[d] === 'string' || wanted[d] === feed.dims[d];
  if (!fits)
    throw new SardonyxError('INVALID_SHAPE', `must have dims [${wanted}], not [${feed.dims}]`, { value: name });
}
