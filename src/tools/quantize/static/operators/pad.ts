import { withFields } from '../../../../model/document/changed.js';
import { add } from '../../sheet.js';
import { integerTensor } from '../codes.js';
import { quantized } from '../levels.js';
import { hasConstantPadding, padsWith } from '../padding.js';
import { give, heldBy } from './held.js';
import type { Rule } from './rule.js';

/** Pads quantized values with the quantized constant, which is the zero point for 0. */
export const pad: Rule = (bench, node) => {
  const input = heldBy(bench, node.input[0]);
  const [, pads = '', constant, ...others] = node.input;
  const { sheet, graph } = bench.desk;
  const number = hasConstantPadding(node) ? padsWith(bench.desk, node) : 0;
  if (!input || number === undefined) return undefined;
  const output = [give(bench, node.output[0] as string, input)];
  if (!hasConstantPadding(node)) return [withFields(node, { input: [input.codes, ...node.input.slice(1)], output })];
  if (!constant) return [withFields(node, { input: [input.codes, pads, input.zero, ...others], output })];
  const codes = quantized(Float32Array.of(number), [], input.levels);
  const name = sheet.fresh(`${constant}_quantized`);
  add(sheet.constants, graph, integerTensor(name, input.levels.type, [], codes));
  return [withFields(node, { input: [input.codes, pads, name, ...others], output })];
};
