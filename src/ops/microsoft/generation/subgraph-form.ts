import type { Graph, Value } from '../../../graph/graph.js';
import type { TensorType } from '../../../graph/types.js';
import type { Inference } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { emptyData } from '../../../tensor/empty-data.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

type Node = Pick<Inference<unknown>, 'fail'>;

/** A subgraph and the name of its attribute. */
export interface Part {
  readonly name: string;
  readonly graph: Graph;
}

/** Checks that the inputs or outputs begin with these names. */
export function expectNames(
  c: Node,
  { name, graph }: Part,
  kind: 'inputs' | 'outputs',
  names: readonly string[],
): void {
  const given = graph[kind].map((value) => value.name);
  const wrong = names.findIndex((wanted, i) => given[i] !== wanted);
  if (wrong < 0) return;
  const found = given[wrong] === undefined ? 'is missing' : `is "${given[wrong]}"`;
  c.fail(
    'INVALID_GRAPH',
    `the ${kind} of its ${name} must begin with ${names.join(', ')}, but number ${wrong} ${found}`,
  );
}

/** Checks the number of inputs or outputs. */
export function expectCount(
  c: Node,
  { name, graph }: Part,
  kind: 'inputs' | 'outputs',
  count: number,
  why: string,
): void {
  const { length } = graph[kind];
  if (length !== count) c.fail('INVALID_GRAPH', `its ${name} has ${length} ${kind}; it needs ${count}: ${why}`);
}

/** Checks that these inputs are int32. */
export function expectTokens(c: Node, { name, graph }: Part, names: readonly string[]): void {
  for (const value of graph.inputs) {
    if (!names.includes(value.name) || value.type?.kind !== 'tensor' || value.type.element === 'int32') continue;
    c.fail('INVALID_TYPE', `input ${value.name} of its ${name} must be int32, not ${value.type.element}`);
  }
}

/** The type of a cache; heads and head size must be known, and the rank one of `ranks`. */
export function cacheType(c: Node, { name }: Part, value: Value, ranks: readonly number[]): TensorType {
  const { type } = value;
  const dims = type?.kind === 'tensor' ? type.dims : undefined;
  const isKnown = dims && typeof dims.at(-3) === 'number' && typeof dims.at(-1) === 'number';
  if (isKnown && ranks.includes(dims.length) && (dims.length === 4 || dims[0] === 2)) return type as TensorType;
  const forms = ranks.map((rank) => `[${rank === 5 ? '2,' : ''}batch,heads,length,size]`).join(' or ');
  const given = dims ? `[${dims}]` : 'of unknown rank';
  return c.fail(
    'INVALID_SHAPE',
    `${value.name} of its ${name} must be ${forms}, with heads and size as numbers, not ${given}`,
  );
}

/** A cache of zeros for `rows` rows and `length` tokens. */
export function emptyCache({ element, dims = [] }: TensorType, rows: number, length: number): TensorValue {
  const known = [rows, dims.at(-3) as number, length, dims.at(-1) as number];
  const all = dims.length === 5 ? [2, ...known] : known;
  return { type: element, dims: all, data: emptyData(element, all) as Float32Array } as TensorValue<ElementType>;
}

/** The vocabulary size: as declared, */
export function vocabularyOf(c: Node, declared: number | undefined, logits: TensorValue): number {
  const width = logits.dims.at(-1) ?? 0;
  if (logits.dims.length !== 3)
    c.fail('INVALID_SHAPE', `logits must be [batch,length,vocabulary], not [${logits.dims}]`);
  if (!declared || declared < 0) return width;
  if (declared > width) c.fail('INVALID_ATTRIBUTE', `vocab_size is ${declared}, but the logits have ${width} tokens`);
  return declared;
}

/** A subgraph whose last input has this name writes into caches of fixed length, from that position on. */
export const POSITION = 'past_sequence_length';

export function sharesCaches(c: Node, { name, graph }: Part): boolean {
  const at = graph.inputs.findIndex((value) => value.name === POSITION);
  if (at >= 0 && at !== graph.inputs.length - 1)
    c.fail('INVALID_GRAPH', `${POSITION} must be the last input of its ${name}, not number ${at}`);
  return at >= 0;
}
