import { sameDims } from '../graph/dims.js';
import type { Expression, Instruction, OpcodeName } from '../graph/expression.js';
import type { Value } from '../graph/graph.js';
import { expressionOf } from '../primitives/elementwise.js';
import type { ElementType } from '../tensor/element-types.js';
import type { GraphEditor } from './editor.js';
import type { Proposal, Rule } from './rule.js';

/** Longer chains would not keep all their values in the first-level cache. */
const MAX_INSTRUCTIONS = 24;
const MAX_INPUTS = 12;

const typeOf = (editor: GraphEditor, value: Value | null | undefined) => {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type : undefined;
};

/** Types that hold every value of a register, so that a store to memory loses nothing. */
const LOSSLESS: Record<Expression['register'], ElementType> = {
  F32: 'float32',
  F64: 'float64',
  I32: 'int32',
  I64: 'int64',
};

/** Operations whose result is 0 or 1. */
const TRUTHS: readonly OpcodeName[] = [
  'Not',
  'And',
  'Or',
  'Xor',
  'Equal',
  'Less',
  'LessOrEqual',
  'Greater',
  'GreaterOrEqual',
  'IsNaN',
  'IsInf',
];

/** Whether memory of type `element` holds the result of `expression` without loss. */
const keeps = (element: ElementType, { register, instructions }: Expression): boolean =>
  element === 'bool' ? TRUTHS.includes((instructions.at(-1) as Instruction).op) : element === LOSSLESS[register];

/** `outer` with its input `at` replaced by `inner`. `places` renumbers the inputs of both. */
function substitute(
  outer: Expression,
  at: number,
  inner: Expression,
  places: { outer: number[]; inner: number[]; count: number },
): Expression {
  const constants = [...inner.constants, ...outer.constants];
  const first = places.count + constants.length;
  const innerValue = (v: number) => (v < inner.inputs ? (places.inner[v] as number) : places.count + v - inner.inputs);
  const shift = (v: number, own: Expression, base: number) => base + v - own.inputs - own.constants.length;
  const moved = (own: Expression, v: number, base: number, value: (v: number) => number) =>
    v < own.inputs + own.constants.length ? value(v) : shift(v, own, base);
  const result = first + inner.instructions.length - 1;
  const outerValue = (v: number) => {
    if (v === at) return result;
    return v < outer.inputs ? (places.outer[v] as number) : places.count + inner.constants.length + v - outer.inputs;
  };
  const rename = (own: Expression, base: number, value: (v: number) => number) =>
    own.instructions.map((step): Instruction => ({ ...step, args: step.args.map((v) => moved(own, v, base, value)) }));
  return {
    register: outer.register,
    inputs: places.count,
    constants,
    instructions: [
      ...rename(inner, first, innerValue),
      ...rename(outer, first + inner.instructions.length, outerValue),
    ],
  };
}

/** Merges an elementwise node into the one that reads its result: one pass instead of two. */
export const elementwiseFusion = (roots: readonly string[]): Rule => ({
  name: 'elementwise chain',
  roots,
  propose(root, editor, build): Proposal {
    const outer = expressionOf(editor.viewOf(root));
    const dims = typeOf(editor, root.outputs[0])?.dims;
    if (!outer || !dims) return undefined;
    const outerInputs = root.inputs.filter((value) => value !== null);
    for (const [at, value] of outerInputs.entries()) {
      const producer = editor.producerOf(value);
      const inner = producer && expressionOf(editor.viewOf(producer));
      if (!producer || !inner || !fits(editor, value, dims, inner, outer)) continue;
      const innerInputs = producer.inputs.filter((v) => v !== null);
      const inputs = [...new Set([...outerInputs.filter((v) => v !== value), ...innerInputs])];
      if (inputs.length > MAX_INPUTS || editor.readersOf(value).size > 1 || editor.isOutput(value)) continue;
      const index = (v: Value) => inputs.indexOf(v);
      const places = { outer: outerInputs.map(index), inner: innerInputs.map(index), count: inputs.length };
      const expression = outerInputs.reduce((e, v, i) => (v === value && i !== at ? redirect(e, i, at) : e), outer);
      const fused = substitute(expression, at, inner, places);
      const element = typeOf(editor, root.outputs[0])?.element as string;
      return {
        replaces: build.emit('sardonyx:Elementwise', inputs, {
          expression: { type: 'expression', value: fused },
          element: { type: 'string', value: element },
        }),
        covers: [root, producer],
      };
    }
    return undefined;
  },
});

/** The expression with input `from` replaced by input `to`. */
const redirect = (e: Expression, from: number, to: number): Expression => ({
  ...e,
  instructions: e.instructions.map((step) => ({ ...step, args: step.args.map((v) => (v === from ? to : v)) })),
});

function fits(
  editor: GraphEditor,
  value: Value,
  dims: readonly unknown[],
  inner: Expression,
  outer: Expression,
): boolean {
  const type = typeOf(editor, value);
  if (!type?.dims || !sameDims(type.dims, dims as readonly number[])) return false;
  if (inner.register !== outer.register || !keeps(type.element, inner)) return false;
  return inner.instructions.length + outer.instructions.length <= MAX_INSTRUCTIONS;
}
