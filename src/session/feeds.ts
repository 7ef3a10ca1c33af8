import { hinted } from '../advice/hinted.js';
import { unreadable } from '../base/arguments.js';
import { asSardonyxError, SardonyxError } from '../base/errors.js';
import { given } from '../base/given.js';
import { isA } from '../base/kind.js';
import { isPromise, shown } from '../base/shown.js';
import type { Graph, Value } from '../graph/graph.js';
import { type SymbolPlace, sharedSymbolsOf } from '../graph/shared-symbols.js';
import { formatSize, type Size } from '../graph/sizes.js';
import { formatType, type TensorType, type ValueType } from '../graph/types.js';
import { checkTensor } from '../tensor/check-tensor.js';
import { type ElementType, isFloat } from '../tensor/element-types.js';
import { LazyTensor } from '../tensor/lazy-tensor.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import type { AnyValues, FeedOf } from './signature.js';

type MapType = Extract<ValueType, { kind: 'map' }>;

/** Values by input name. Inputs with a default may be absent. */
export type Feeds<I = AnyValues> = { readonly [N in keyof I]: FeedOf<I[N]> };

/**
 * Writes the feeds into `values` in the order of the graph's inputs; `undefined` for an input that keeps its default. Refuses missing,
 * unknown and ill-typed feeds.
 */
export function orderFeeds(graph: Graph, feeds: Feeds, values: (HostValue | undefined)[]): void {
  try {
    placeFeeds(graph, feeds, values);
  } catch (thrown) {
    throw unreadable('the feeds', thrown);
  }
}

function placeFeeds(graph: Graph, feeds: Feeds, values: (HostValue | undefined)[]): void {
  checkNamed(feeds, graph.inputs);
  for (const name in feeds) if (!hasInput(graph, name)) throw unknown(graph, name);
  for (let i = 0; i < graph.inputs.length; i++) {
    const input = graph.inputs[i] as Value;
    const feed = given(feeds, input.name);
    if (feed === undefined && !input.constant) throw notFed(feeds, input);
    values[i] = feed === undefined ? undefined : readFeed(input, feed, values[i]);
    if (feed !== undefined) checkFeed(input, values[i] as HostValue);
  }
  bindSymbols(graph, values);
}

/** Checks that feeds are an object of values by input name. */
export function checkNamed(feeds: unknown, inputs: readonly { readonly name: string }[]): void {
  if (typeof feeds !== 'object' || feeds === null || Array.isArray(feeds) || isTensorValue(feeds) || isPromise(feeds))
    throw noFeeds(feeds, inputs);
}

function noFeeds(feeds: unknown, inputs: readonly { readonly name: string }[]): SardonyxError {
  const example = `{ ${inputs.map(({ name }) => JSON.stringify(name)).join(': …, ') || '"input"'}: … }`;
  const given = isTensorValue(feeds) ? 'a tensor' : shown(feeds);
  const complaint = `feeds must be an object of values by input name, ${example}; got ${given}`;
  return new SardonyxError('INVALID_ARGUMENT', complaint);
}

/** Checks that equal symbols have equal sizes, on which the optimizer relies. */
function bindSymbols(graph: Graph, values: readonly (HostValue | undefined)[]): void {
  for (const places of sharedSymbolsOf(graph)) {
    let by: SymbolPlace | undefined;
    let earlier: number | undefined;
    for (const place of places) {
      const feed = values[place.input] as TensorValue | undefined;
      if (!feed) continue;
      by ??= place;
      earlier ??= feed.dims[place.axis];
      if (feed.dims[place.axis] !== earlier) throw unequal(graph, place, feed, `${earlier} in "${nameAt(graph, by)}"`);
    }
  }
}

const nameAt = ({ inputs }: Graph, { input }: SymbolPlace) => (inputs[input] as Value).name;

function unequal(graph: Graph, place: SymbolPlace, { dims }: TensorValue, earlier: string): SardonyxError {
  const { symbol, axis } = place;
  const complaint = `dims [${dims}] make "${formatSize(symbol)}" ${dims[axis]}, which is ${earlier}`;
  const error = new SardonyxError('INVALID_SHAPE', complaint, { value: nameAt(graph, place) });
  return hinted(error, ({ unequalSizes }) => unequalSizes(complaint, formatSize(symbol)));
}

function hasInput(graph: Graph, name: string): boolean {
  for (let i = 0; i < graph.inputs.length; i++) if (graph.inputs[i]?.name === name) return true;
  return false;
}

const namesOf = (values: readonly Value[]) =>
  values.map(({ name, type }) => `"${name}" (${formatType(type)})`).join(', ');

export function notFed(feeds: object, { name, type }: Pick<Value, 'name' | 'type'>): SardonyxError {
  const fed = Object.keys(feeds).map((feed) => `"${feed}"`);
  const complaint = `${formatType(type)} is not fed; fed: ${fed.join(', ') || 'nothing'}`;
  return hinted(new SardonyxError('MISSING_FEED', complaint, { value: name }), ({ missingFeed }) =>
    missingFeed(complaint, name, type),
  );
}

function unknown({ inputs }: Graph, name: string): SardonyxError {
  const complaint = `the model has no such input; its inputs are ${namesOf(inputs)}`;
  return hinted(new SardonyxError('UNKNOWN_FEED', complaint, { value: name }), ({ unknownFeed }) =>
    unknownFeed(complaint, name, inputs),
  );
}

function checkFeed({ name, type }: Value, feed: HostValue): void {
  if (!type) return;
  checkKind(name, type, feed);
  if (type.kind === 'tensor') checkDims(name, feed as TensorValue, type.dims);
}

const KINDS: Record<Exclude<ValueType['kind'], 'optional'>, (feed: HostValue) => boolean> = {
  tensor: isTensorValue,
  sparse: isTensorValue,
  sequence: (feed) => Array.isArray(feed),
  map: (feed) => isA(feed, 'Map'),
};

/** A fed tensor, read once: the run uses exactly what was checked, even if getters or proxies later return other values. */
class FedTensor implements TensorValue {
  readonly #isOwn = true;

  constructor(
    public type: TensorValue['type'],
    public dims: readonly number[],
    public data: TensorValue['data'],
  ) {}

  /** Whether a value is one. Does not access proxies that a failed run may have left. */
  static is(value: HostValue | undefined): value is FedTensor {
    return typeof value === 'object' && value !== null && #isOwn in value && value.#isOwn;
  }
}

/** Reads a feed into `last`, the object of the previous run, so that nothing is allocated. */
function readFeed(input: Value, feed: HostValue, last: HostValue | undefined): HostValue {
  const { name, type } = input;
  if (!isTensorValue(feed))
    return Array.isArray(feed) ? feed.map((element) => readFeed({ name }, element, undefined)) : feed;
  const single = singleDims(type);
  if (LazyTensor.is(feed) && !(single && single.length !== feed.dims.length)) return feed;
  const held = FedTensor.is(last) ? last : new FedTensor(feed.type, [], []);
  try {
    held.type = feed.type;
    held.data = feed.data;
    const { dims } = feed;
    held.dims = single && hasOneElement(dims) ? single : readDims(dims, held.dims);
  } catch (error) {
    throw notWhole(name, feed, error);
  }
  return held;
}

/** The dims of an input with one element. Exporters confuse `[1]` and `[]`. */
function singleDims(type: ValueType | undefined): readonly number[] | undefined {
  return type?.kind === 'tensor' && type.dims && hasOneElement(type.dims) ? type.dims : undefined;
}

function hasOneElement(dims: readonly Size[]): dims is readonly number[] {
  if (!Array.isArray(dims)) return false;
  for (let d = 0; d < dims.length; d++) if (dims[d] !== 1) return false;
  return true;
}

/** Returns `last` if the dims are equal, because results share their dims with feeds. */
function readDims(dims: readonly number[], last: readonly number[]): readonly number[] {
  if (!Array.isArray(dims)) return dims;
  let isSame = Array.isArray(last) && dims.length === last.length;
  for (let d = 0; isSame && d < last.length; d++) isSame = dims[d] === last[d];
  return isSame ? last : [...dims];
}

/** Replaces the error of a run by a better one if the caller changed the feeds during the run. */
export function blamed(graph: Graph, values: readonly (HostValue | undefined)[], error: unknown): unknown {
  if (error instanceof SardonyxError && error.code !== 'INTERNAL') return error;
  for (const [i, value] of values.entries()) {
    if (!isTensorValue(value) || isUnchanged(value)) continue;
    const complaint = 'its data was transferred or shrunk during the run: feed a copy';
    return new SardonyxError('INVALID_ARGUMENT', complaint, { value: graph.inputs[i]?.name ?? '' }, { cause: error });
  }
  return error;
}

function isUnchanged(value: TensorValue): boolean {
  try {
    checkTensor(value);
    return true;
  } catch {
    return false;
  }
}

const nameOf = (feed: HostValue) => (isTensorValue(feed) ? 'a tensor' : shown(feed));

// Errors are created in separate functions, because a function whose closures capture its arguments allocates at every call.

/** Checks everything but dims, which may differ between the elements of a sequence. */
function checkKind(name: string, type: ValueType, feed: HostValue): void {
  if (type.kind === 'optional') {
    if (feed !== null) checkKind(name, type.of, feed);
    return;
  }
  if (!KINDS[type.kind](feed)) throw anotherKind(name, type, feed);
  if (type.kind === 'map') checkEntries(name, type, feed as ReadonlyMap<unknown, unknown>);
  if (type.kind === 'sequence') for (const element of feed as readonly HostValue[]) checkKind(name, type.of, element);
  if (type.kind !== 'tensor') return;
  const tensor = feed as TensorValue;
  try {
    if (!LazyTensor.is(tensor)) checkTensor(tensor, name);
  } catch (error) {
    throw notWhole(name, tensor, error);
  }
  if (tensor.type !== type.element) throw anotherType(name, type, tensor);
}

function checkEntries(name: string, type: MapType, feed: ReadonlyMap<unknown, unknown>): void {
  const { key: keys, value: values } = type;
  for (const [key, value] of feed) {
    if (!isElement(keys, key)) throw anotherEntry(name, type, `the key ${shown(key)}`);
    if (values.kind !== 'tensor' || isTensorValue(value)) continue;
    if (!isElement(values.element, value)) throw anotherEntry(name, type, `${shown(value)} at ${shown(key)}`);
  }
}

function isElement(element: ElementType, x: unknown): boolean {
  if (element === 'string') return typeof x === 'string';
  if (typeof x === 'bigint') return true;
  return typeof x === 'number' && (isFloat(element) || Number.isSafeInteger(x));
}

const anotherEntry = (name: string, type: MapType, entry: string): SardonyxError =>
  new SardonyxError('INVALID_TYPE', `expected ${formatType(type)}, got ${entry}`, { value: name });

function anotherKind(name: string, type: Exclude<ValueType, { kind: 'optional' }>, feed: HostValue): SardonyxError {
  const wanted = type.kind === 'tensor' ? `a ${formatType(type)} tensor` : formatType(type);
  const complaint = `expected ${wanted}, got ${nameOf(feed)}`;
  return hinted(new SardonyxError('INVALID_TYPE', complaint, { value: name }), ({ wrongKind }) =>
    wrongKind(complaint, type, feed),
  );
}

/** The error for a fed tensor that cannot be read. */
export function notWhole(name: string, tensor: TensorValue, error: unknown): SardonyxError {
  const placed = asSardonyxError(unreadable('the tensor', error), { value: name });
  return hinted(placed, ({ wrongTensor }, complaint) => wrongTensor(complaint, placed.code, tensor));
}

function anotherType(name: string, type: TensorType, tensor: TensorValue): SardonyxError {
  const complaint = `expected ${formatType(type)}, got ${tensor.type}[${tensor.dims}]`;
  return hinted(new SardonyxError('INVALID_TYPE', complaint, { value: name }), ({ wrongType }) =>
    wrongType(complaint, type.element, tensor),
  );
}

function checkDims(name: string, feed: TensorValue, wanted: readonly Size[] | undefined): void {
  if (!wanted) return;
  let fits = feed.dims.length === wanted.length;
  for (let d = 0; fits && d < wanted.length; d++) fits = typeof wanted[d] !== 'number' || wanted[d] === feed.dims[d];
  if (!fits) throw otherDims(name, feed, wanted);
}

function otherDims(name: string, { dims }: TensorValue, wanted: readonly Size[]): SardonyxError {
  const complaint = `expected dims [${wanted}], got [${dims}]`;
  return hinted(new SardonyxError('INVALID_SHAPE', complaint, { value: name }), ({ wrongDims }) =>
    wrongDims(complaint, wanted, dims),
  );
}
