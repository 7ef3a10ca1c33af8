import type { GraphProto, NodeProto } from '../../../src/tools/index.js';
import type { Outline } from '../../../studio/src/graph/outline.js';
import { type OutlineOptions, outlineOf } from '../../../studio/src/workers/documents/outline-of.js';

export interface Op {
  readonly type: string;
  readonly name?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly bodies?: readonly GraphProto[];
}

const info = (name: string) => ({ name, type: null }) as unknown as GraphProto['input'][number];

/** A graph of a model, of the fields that outlines are made of. */
export function graph(ops: readonly Op[], inputs: readonly string[] = [], outputs: readonly string[] = []): GraphProto {
  const none = { initializer: [], sparseInitializer: [], valueInfo: [] };
  return {
    ...none,
    node: ops.map(nodeOf),
    input: inputs.map(info),
    output: outputs.map(info),
  } as unknown as GraphProto;
}

function nodeOf({
  type,
  name = '',
  inputs = [],
  outputs = [],
  domain = '',
  metadata = {},
  bodies = [],
}: Op): NodeProto {
  const metadataProps = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const attribute = bodies.map((g) => ({ g, graphs: [] }));
  const fields = { opType: type, name, input: inputs, output: outputs, domain, overload: '', metadataProps, attribute };
  return fields as unknown as NodeProto;
}

export const outline = (
  ops: readonly Op[],
  inputs: readonly string[] = [],
  outputs: readonly string[] = [],
  options: OutlineOptions = {},
): Outline => outlineOf(graph(ops, inputs, outputs), options);

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const TYPES = ['Conv', 'Relu', 'Add', 'Constant', 'Identity', 'Reshape', 'Shape', 'Gather', 'Softmax', 'Split'];
const SCOPES = ['', '/', '/a/', '/a/b/', '/a/b/c/', '/d/', '/d/e/', 'x/y/'];

/** Some nodes read forwards, back or themselves, what nothing makes, or what is made twice. */
export function randomOutline(seed: number, isDamaged: boolean): Outline {
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const count = Math.floor(next() * 60);
  const value = (below: number) => `v${Math.floor(next() * below)}`;
  const ops = Array.from({ length: count }, (_, i): Op => {
    const type = pick(TYPES);
    const reach = isDamaged && next() < 0.2 ? count + 3 : i;
    const inputs = Array.from({ length: Math.floor(next() * 4) }, () =>
      next() < 0.1 ? pick(['', 'in0', 'in1']) : value(reach),
    );
    const outputs = [
      `v${i}`,
      ...(type === 'Split' ? [`v${i}b`] : []),
      ...(isDamaged && next() < 0.1 ? [value(i)] : []),
    ];
    return { type, name: `${pick(SCOPES)}${type}_${i}`, inputs, outputs };
  });
  return outline(ops, ['in0', 'in1'], [value(count), value(count), 'in0']);
}

/** Layers of 23 nodes; a mask and two rotary tables that all of them read; two residuals. */
export function decoder(layers: number, hasScopes = true): Outline {
  const ops: Op[] = [];
  const put = (scope: string, type: string, ...inputs: string[]): string => {
    const name = `${hasScopes ? `/${scope}${scope && '/'}` : ''}${type}_${ops.length}`;
    ops.push({ type, name, inputs, outputs: [`v${ops.length}`] });
    return `v${ops.length - 1}`;
  };
  const mask = put('', 'Unsqueeze', 'mask');
  const tables = [put('', 'Cos', 'positions'), put('', 'Sin', 'positions')];
  let x = put('', 'Gather', 'table', 'ids');
  for (let l = 0; l < layers; l++) x = decoderLayer(`model/layers/${l}`, x, mask, tables, put);
  put('', 'MatMul', x);
  return outline(ops, ['ids', 'mask', 'positions'], [`v${ops.length - 1}`]);
}

type Put = (scope: string, type: string, ...inputs: string[]) => string;

function decoderLayer(scope: string, x: string, mask: string, tables: readonly string[], put: Put): string {
  const attention = (type: string, ...inputs: string[]) => put(`${scope}/attention`, type, ...inputs);
  const feed = (type: string, ...inputs: string[]) => put(`${scope}/mlp`, type, ...inputs);
  const normed = put(`${scope}/norm1`, 'LayerNormalization', x);
  const [q = '', k = '', v = ''] = ['q', 'k', 'v'].map(() => attention('Reshape', attention('MatMul', normed)));
  const key = attention('Transpose', attention('RotaryEmbedding', k, ...tables));
  const scores = attention('MatMul', attention('RotaryEmbedding', q, ...tables), key);
  const weights = attention('Softmax', attention('Add', scores, mask));
  const middle = put(scope, 'Add', x, attention('MatMul', attention('MatMul', weights, v)));
  const fed = put(`${scope}/norm2`, 'LayerNormalization', middle);
  const gate = feed('Sigmoid', feed('MatMul', fed));
  return put(scope, 'Add', middle, feed('MatMul', feed('Mul', feed('MatMul', fed), gate)));
}
