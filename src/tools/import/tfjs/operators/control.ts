import type { Graph, Value } from '../../../../graph/graph.js';
import { symbol } from '../../../../graph/sizes.js';
import { formatType, mapSizes, ofAnyShape, type ValueType } from '../../../../graph/types.js';
import { Draft, graph } from '../draft.js';
import { needed } from '../needed.js';
import { withOpenSizes } from '../open-sizes.js';
import type { Operator, Operators } from './operator.js';

/** Writes a subgraph, which can read outer values. */
function body(d: Draft, name: string, write: (inner: Draft) => { inputs?: Value[]; outputs: readonly Value[] }): Graph {
  const inner = new Draft(d.facts.fork());
  inner.scope = name;
  const { inputs = [], outputs } = write(inner);
  const own = new Set(inner.nodes.flatMap((node) => node.outputs));
  const results = outputs.map((value, i) =>
    own.has(value) && outputs.indexOf(value) === i ? value : inner.emit('Identity', [value]),
  );
  for (const value of inputs) if (value.type) value.type = withOpenSizes(value.type, value.name);
  return { name, inputs, outputs: results, nodes: needed(inner.nodes, results) };
}

const truth = (d: Draft, x: Value): Value => d.cast(d.dims(x)?.length === 0 ? x : d.reshape(x), 'bool');

const choice: Operator = ([condition, ...operands], d, a, { op, call }) => {
  const names = [a.called('then_branch'), a.called('else_branch')] as const;
  const [then, otherwise] = names.map((name) =>
    body(d, `${d.scope}/${name}`, (inner) => ({ outputs: call(name, inner, operands) })),
  );
  const settings = { then_branch: graph(then as Graph), else_branch: graph(otherwise as Graph) };
  return d.all(op.replace('Stateless', ''), [truth(d, condition)], settings, (then as Graph).outputs.length);
};

type Types = readonly ValueType[];

const loop: Operator = (states, d, a, { call }) => {
  const [condition, step] = [a.called('cond'), a.called('body')];
  const once = (types: Types): { written: Graph; types: Types } => {
    let made: ValueType[] = [];
    const written = body(d, `${d.scope}/${step}`, (inner) => {
      const scalar = (element: 'int64' | 'bool'): ValueType => ({ kind: 'tensor', element, dims: [] });
      const inputs = [inner.input(`${d.scope}/i`, scalar('int64')), inner.input(`${d.scope}/goes`, scalar('bool'))];
      const carried = types.map((type, i) => inner.input(`${d.scope}/state_${i}`, type));
      const results = call(step, inner, carried);
      const [goesOn] = call(condition, inner, results);
      made = results.map((value) => inner.fact(value).type);
      return { inputs: [...inputs, ...carried], outputs: [truth(inner, goesOn as Value), ...results] };
    });
    return { written, types: made };
  };
  const first = states.map((state) => d.fact(state).type);
  const settled = settle(first, (types) => once(types).types);
  const [goes] = call(condition, d, states);
  const made = d.all(
    'Loop',
    [null, truth(d, goes as Value), ...states],
    { body: graph(once(settled).written) },
    states.length,
  );
  for (const [i, value] of made.entries()) d.facts.set(value, { type: settled[i] as ValueType });
  return made;
};

const sizesIn = (type: ValueType): string =>
  formatType(mapSizes(type, (size) => (typeof size === 'number' ? size : symbol('?'))));

/** Determines the types of loop-carried values. The shape of a value that changes shape in the loop is left open. */
function settle(types: Types, once: (types: Types) => Types): Types {
  for (let round = 0; round <= types.length; round++) {
    const made = once(types);
    const changes = types.map(
      (type, i) => sizesIn(type) !== sizesIn(made[i] as ValueType) && sizesIn(type) !== sizesIn(ofAnyShape(type)),
    );
    if (!changes.includes(true)) return types;
    types = types.map((type, i) => (changes[i] ? ofAnyShape(type) : type));
  }
  return types;
}

export const control: Operators = { If: choice, StatelessIf: choice, While: loop, StatelessWhile: loop };
