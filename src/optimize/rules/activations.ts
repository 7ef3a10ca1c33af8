import { floatAttribute, floatOf, stringAttribute } from '../../graph/attributes.js';
import type { ElementType } from '../../tensor/element-types.js';
import { any, either, isNear, type Match, op, type Pattern, scalar } from '../pattern.js';
import { type Rule, rule } from '../rule.js';

const x: Pattern = any('x');

/** 1 + erf(x/√2), with the quotient as division or multiplication. */
const onePlusErf = op('Add', [
  op('Erf', [either(op('Div', [x, scalar('root', Math.SQRT2)]), op('Mul', [x, scalar('root', Math.SQRT1_2)]))]),
  scalar('one', 1),
]);

const cube = either(
  op('Pow', [x, scalar('three', 3)]),
  op('Mul', [op('Mul', [x, x]), x]),
  op('Mul', [x, op('Pow', [x, scalar('two', 2)])]),
);

/** 1 + tanh(√(2/π)·(x + 0.044715·x³)). */
const onePlusTanh = op('Add', [
  op('Tanh', [
    op('Mul', [op('Add', [x, op('Mul', [cube, scalar('cubic', 0.044715)])]), scalar('slope', Math.sqrt(2 / Math.PI))]),
  ]),
  scalar('one', 1),
]);

/** ½·x·sum in every order of the two products. */
const halved = (sum: Pattern) => ({
  root: 'Mul',
  orders: [
    [op('Mul', [x, sum]), scalar('half', 0.5)],
    [op('Mul', [x, scalar('half', 0.5)]), sum],
    [x, op('Mul', [sum, scalar('half', 0.5)])],
  ],
});

const gelu = (name: string, sum: Pattern, approximate: string): Rule[] =>
  halved(sum).orders.map((inputs) =>
    rule({
      name,
      root: 'Mul',
      inputs,
      build: (m, b) => b.emit('Gelu', [m.value('x')], { approximate: stringAttribute(approximate) }),
    }),
  );

function elementOf(m: Match): ElementType {
  const type = m.editor.facts.get(m.value('x'))?.type;
  return type?.kind === 'tensor' ? type.element : 'float32';
}

/** Activations that exporters write out as several nodes. */
export const activations: readonly Rule[] = [
  ...gelu('GELU from erf', onePlusErf, 'none'),
  ...gelu('GELU from tanh', onePlusTanh, 'tanh'),
  rule({
    name: 'SiLU from sigmoid',
    root: 'Mul',
    inputs: [x, op('Sigmoid', [x])],
    build: (m, b) => b.emit('Swish', [m.value('x')]),
  }),
  rule({
    name: 'hard swish from hard sigmoid',
    root: 'Mul',
    inputs: [x, op('HardSigmoid', [x], { as: 'gate' })],
    guard: (m) => {
      const { attributes } = m.node('gate');
      const isGate = isNear(elementOf(m), floatOf(attributes, 'alpha', 0.2), 1 / 6);
      return isGate && floatOf(attributes, 'beta', 0.5) === 0.5 ? undefined : 'another slope';
    },
    build: (m, b) => b.emit('HardSwish', [m.value('x')]),
  }),
  rule({
    name: 'hard swish from clip',
    root: 'Div',
    inputs: [
      op('Mul', [x, op('Clip', [op('Add', [x, scalar('three', 3)]), scalar('low', 0), scalar('high', 6)])]),
      scalar('six', 6),
    ],
    build: (m, b) => b.emit('HardSwish', [m.value('x')]),
  }),
  rule({
    name: 'hard sigmoid from clip',
    root: 'Div',
    inputs: [op('Clip', [op('Add', [x, scalar('three', 3)]), scalar('low', 0), scalar('high', 6)]), scalar('six', 6)],
    build: (m, b) => b.emit('HardSigmoid', [m.value('x')], { alpha: floatAttribute(1 / 6), beta: floatAttribute(0.5) }),
  }),
];
