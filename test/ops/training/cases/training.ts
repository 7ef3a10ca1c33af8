import { i64 } from '../../../values.js';
import type { Case } from './case.js';

const training = (op: string, states: number, attributes: Case['attributes'] = {}): Case => ({
  op: `ai.onnx.preview.training:${op}`,
  dims: [[]],
  rest: [i64([], [3]), ...Array.from({ length: 2 + states }, () => ({ variable: [3] }))],
  attributes,
  range: [0.3, 2],
  outputs: 1 + states,
});

/** A step of an optimizer is itself a function of its rate, weights, derivatives and states. */
export const optimizers: readonly Case[] = [
  training('Adagrad', 1, { decay_factor: 0.1, epsilon: 0.01, norm_coefficient: 0.02 }),
  training('Adam', 2, { alpha: 0.9, beta: 0.8, epsilon: 0.01 }),
  training('Momentum', 1, { alpha: 0.9, beta: 0.8, mode: 'nesterov', norm_coefficient: 0.02 }),
];
