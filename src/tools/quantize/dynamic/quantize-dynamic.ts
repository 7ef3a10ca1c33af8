import type { NodeProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { withFields } from '../../../model/document/changed.js';
import { takingTurns } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { type Constant, nodesIn, type Scope } from '../graphs.js';
import { isWanted } from '../names.js';
import { importing, isOnnx, MICROSOFT, opsetOf } from '../nodes.js';
import { eachOf } from '../progress.js';
import { replaced } from '../replaced.js';
import { emptySheet } from '../sheet.js';
import { codeStore } from '../static/codes.js';
import { attention } from './attention.js';
import type { Desk } from './desk.js';
import { embedLayerNormalization, gather, transpose } from './looked-up.js';
import { lstm } from './lstm.js';
import { checkOptions, DEFAULT_TYPES, type DynamicType, type QuantizeDynamicOptions } from './options.js';
import { conv, gemm, matMul } from './product.js';
import type { Rule } from './rule.js';

const RULES: Readonly<Record<DynamicType, Rule>> = {
  MatMul: matMul,
  Gemm: gemm,
  Conv: conv,
  Gather: gather,
  Transpose: transpose,
  LSTM: lstm,
  Attention: attention,
  EmbedLayerNormalization: embedLayerNormalization,
};

/** The first opset with DynamicQuantizeLinear. */
const LEAST_OPSET = 11;

interface Task {
  readonly node: NodeProto;
  readonly scope: Scope;
  readonly rule: Rule;
  readonly weight: Constant;
}

/**
 * Quantizes weights to 8-bit integers; activations are quantized in each run. Convolutions stay in float32 unless
 * `types` includes Conv.
 * @throws SardonyxError INVALID_ARGUMENT if an option is invalid or the opset is below 11, INVALID_MODEL for weights
 * that are not finite, ABORTED
 */
export async function quantizeDynamic(model: Model, options: QuantizeDynamicOptions = {}): Promise<Model> {
  checkOptions(options);
  const { proto } = model;
  const { graph } = proto;
  const types = new Set<string>(options.types ?? DEFAULT_TYPES);
  const possible = tasksOf(model, options);
  noticeConvolutions(possible, types.has('Conv'), options);
  const tasks = possible.filter(({ node }) => types.has(node.opType));
  if (!graph || tasks.length === 0) return model;
  requireOpset(opsetOf(proto));
  const codes = codeStore(model, options.hold);
  const sheet = emptySheet(graph);
  const desk: Desk = { model, options, sheet, codes, room: takingTurns(1), weights: new Map(), values: new Map() };
  await eachOf(
    'operators',
    tasks,
    ({ node }) => node.name,
    options,
    async ({ node, scope, rule, weight }) => {
      desk.sheet.nodes.set(node, await rule.quantize(desk, scope, node, weight));
    },
  );
  const quantized = withFields(proto, { graph: replaced(graph, desk.sheet) });
  const isForeign = [...desk.sheet.nodes.values()].some((nodes) => nodes.some(({ domain }) => domain === MICROSOFT));
  return withProto(model, isForeign ? importing(quantized, MICROSOFT, 1) : quantized);
}

function tasksOf({ proto }: Model, options: QuantizeDynamicOptions): Task[] {
  return [...nodesIn(proto)].flatMap(([node, scope]) => {
    if (!Object.hasOwn(RULES, node.opType)) return [];
    const rule = RULES[node.opType as DynamicType];
    const isOwn = rule.domain ? node.domain === rule.domain : isOnnx(node);
    const weight = isOwn ? rule.weight(node, scope) : undefined;
    return weight && isWanted(node, weight.tensor.name, options) ? [{ node, scope, rule, weight }] : [];
  });
}

function noticeConvolutions(tasks: readonly Task[], quantized: boolean, { onNotice }: QuantizeDynamicOptions): void {
  const nodes = tasks.filter(({ node }) => node.opType === 'Conv').length;
  if (nodes === 0) return;
  const message = quantized
    ? `quantized ${nodes} Conv nodes, which usually run slower than in float32; static quantization is faster for convolutions`
    : `left ${nodes} Conv nodes in float32, as dynamic quantization slows them down; include Conv in types for smaller weights, or use static quantization`;
  onNotice?.({ type: 'Conv', nodes, quantized, message });
}

function requireOpset(opset: number): void {
  if (opset >= LEAST_OPSET) return;
  const message = `DynamicQuantizeLinear needs opset ${LEAST_OPSET}, but the model has opset ${opset}; convert the model first`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}
