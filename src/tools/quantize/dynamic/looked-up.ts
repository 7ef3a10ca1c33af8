import { withFields } from '../../../model/document/changed.js';
import type { Constant, Scope } from '../graphs.js';
import { MICROSOFT, turnedInto } from '../nodes.js';
import { type Desk, dequantized, type Layout, quantizedWeight, valuesIn, weightIn } from './desk.js';
import type { Rule } from './rule.js';

/** Tables are quantized like activations, as the selected rows replace activations. */
const TABLE: Layout = { type: 'uint8', symmetric: false, reduced: false };

/** Applies an operator that moves values to quantized ones. */
const moved: Rule['quantize'] = async (desk, scope, node, weight) => {
  const [input = '', ...others] = node.input;
  const [output = ''] = node.output;
  const table = valuesIn(desk, scope).get(input) ?? (await quantizedWeight(desk, weight, TABLE));
  const codes = desk.sheet.fresh(`${output}_quantized`);
  const gathered = withFields(node, { input: [table.codes, ...others], output: [codes] });
  return [gathered, dequantized(desk, scope, output, { ...table, codes })];
};

export const gather: Rule = { weight: ({ input }, scope) => weightIn(scope, input[0]), quantize: moved };

export const transpose: Rule = gather;

const TABLES = [2, 3, 4, 5, 6];

/** Quantizes tables and parameters to bytes. The quantized operator requires both outputs. */
export const embedLayerNormalization: Rule = {
  domain: MICROSOFT,
  weight({ input, output }, scope) {
    const isWhole = TABLES.every((i) => !input[i] || weightIn(scope, input[i]));
    return isWhole && output.length <= 2 && !input[8] ? weightIn(scope, input[2]) : undefined;
  },
  async quantize(desk, scope, node) {
    const none = { codes: '', scale: '', zero: '' };
    const tables = await inTurn(TABLES, (i) => (node.input[i] ? byteTable(desk, scope, node.input[i]) : none));
    const inputs = [
      ...node.input.slice(0, 2),
      ...tables.map(({ codes }) => codes),
      node.input[7] ?? '',
      ...tables.map(({ scale }) => scale),
      ...tables.map(({ zero }) => zero),
    ];
    const [output = '', mask] = node.output;
    const quantized = turnedInto(node, 'QEmbedLayerNormalization', inputs, ['epsilon']);
    return [withFields(quantized, { output: [output, mask || desk.sheet.fresh(`${output}_mask_index`)] })];
  },
};

const byteTable = (desk: Desk, scope: Scope, name: string) =>
  quantizedWeight(desk, weightIn(scope, name) as Constant, TABLE);

async function inTurn<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
