import { SardonyxError } from '../errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { formatType, type ValueType } from '../graph/types.js';
import { checkTensor } from '../tensor/check-tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import type { AnyValues, FeedOf } from './signature.js';

/** Values by input name; those of inputs with a default may be left out. */
export type Feeds<I = AnyValues> = { readonly [N in keyof I]: FeedOf<I[N]> };

/**
 * Writes the feeds into `values` by position of the graph's inputs; `undefined` where an input keeps its default.
 * Refuses missing, unknown and ill-typed feeds.
 */
export function orderFeeds(graph: Graph, feeds: Feeds, values: (HostValue | undefined)[]): void {
  if (typeof feeds !== 'object' || feeds === null)
    throw new SardonyxError('INVALID_ARGUMENT', `feeds must be an object of values by input name, not ${feeds}`);
  for (const name in feeds) if (!hasInput(graph, name)) throw unknown(graph, name);
  for (let i = 0; i < graph.inputs.length; i++) {
    const input = graph.inputs[i] as Value;
    const feed = feeds[input.name];
    if (feed !== undefined) checkFeed(input, feed);
    else if (!input.constant) throw missing(feeds, input);
    values[i] = feed;
  }
  if (needsBinding(graph)) bindSymbols(graph, values);
}

const binding = new WeakMap<Graph, boolean>();

/** Whether a symbol stands more than once among the inputs. */
function needsBinding(graph: Graph): boolean {
  const known = binding.get(graph);
  if (known !== undefined) return known;
  const symbols = graph.inputs.flatMap(({ type }) =>
    type?.kind === 'tensor' ? (type.dims ?? []).filter((d) => typeof d === 'string') : [],
  );
  const needed = new Set(symbols).size < symbols.length;
  binding.set(graph, needed);
  return needed;
}

/** From now on a symbol of the graph may be of another size in each place. */
export const loosenSymbols = (graph: Graph): unknown => binding.set(graph, false);

/** Equal symbols are equal sizes: the optimizer has relied on it. */
function bindSymbols(graph: Graph, values: readonly (HostValue | undefined)[]): void {
  const bound = new Map<string, { readonly size: number; readonly by: string }>();
  graph.inputs.forEach(({ name, type }, i) => {
    const feed = values[i];
    if (type?.kind !== 'tensor' || !isTensorValue(feed)) return;
    type.dims?.forEach((symbol, axis) => {
      if (typeof symbol !== 'string') return;
      const size = feed.dims[axis] as number;
      const { size: earlier, by } = bound.get(symbol) ?? { size, by: name };
      if (size !== earlier) {
        const complaint = `dims [${feed.dims}] make "${symbol}" ${size}, which is ${earlier} in "${by}"`;
        throw new SardonyxError('INVALID_SHAPE', complaint, { value: name });
      }
      bound.set(symbol, { size, by });
    });
  });
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
  if (!type) return;
  checkKind(name, type, feed);
  if (type.kind === 'tensor') checkDims(name, feed as TensorValue, type.dims);
}

const KINDS: Record<Exclude<ValueType['kind'], 'optional'>, (feed: HostValue) => boolean> = {
  tensor: isTensorValue,
  sparse: isTensorValue,
  sequence: (feed) => Array.isArray(feed),
  map: (feed) => feed instanceof Map,
};

const nameOf = (feed: HostValue) =>
  isTensorValue(feed) ? 'a tensor' : feed === null ? 'null' : (feed.constructor?.name ?? typeof feed);

/** Checks all but dims, which may vary among the elements of a sequence. */
function checkKind(name: string, type: ValueType, feed: HostValue): void {
  if (type.kind === 'optional') {
    if (feed !== null) checkKind(name, type.of, feed);
    return;
  }
  if (!KINDS[type.kind](feed)) {
    const wanted = type.kind === 'tensor' ? `a tensor, ${formatType(type)}` : formatType(type);
    throw new SardonyxError('INVALID_TYPE', `must be ${wanted}, not ${nameOf(feed)}`, { value: name });
  }
  if (type.kind === 'sequence') for (const element of feed as readonly HostValue[]) checkKind(name, type.of, element);
  if (type.kind !== 'tensor') return;
  const tensor = feed as TensorValue;
  checkTensor(tensor, name);
  if (tensor.type !== type.element)
    throw new SardonyxError('INVALID_TYPE', `must be ${formatType(type)}, not ${tensor.type}[${tensor.dims}]`, {
      value: name,
    });
}

function checkDims(name: string, feed: TensorValue, wanted: readonly (number | string)[] | undefined): void {
  if (!wanted) return;
  let fits = feed.dims.length === wanted.length;
  for (let d = 0; fits && d < wanted.length; d++) fits = typeof wanted[d] === 'string' || wanted[d] === feed.dims[d];
  if (!fits)
    throw new SardonyxError('INVALID_SHAPE', `must have dims [${wanted}], not [${feed.dims}]`, { value: name });
}
