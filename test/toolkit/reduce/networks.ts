import type { NodeProto } from '../../../build/onnx.js';
import { randomNumbers } from '../../../src/tools/generated-input.js';
import { type Model, parseModel } from '../../../src/tools/index.js';

/** What nodes of a network are, on values a and b of float[4,4]. */
const OPERATORS = [
  'Relu (a)',
  'Tanh (a)',
  'Sigmoid (a)',
  'Abs (a)',
  'Add (a, b)',
  'Sub (a, b)',
  'Max (a, b)',
  'LeakyRelu <alpha = 0.1> (a)',
  'Transpose <perm = [1, 0]> (a)',
  'Softmax <axis = 1> (a)',
  'MatMul (a, w)',
  'Add (a, bias)',
];

const branch = (inner: string, name: string, outer: string): string =>
  `${name}_b () => (float[4,4] ${name}_o) { ${name}_p = Tanh (${outer}) ${name}_q = ${inner.replaceAll(/\ba\b/g, `${name}_p`)} ${name}_o = Abs (${name}_q) }`;

/** Nodes whose operators ordinary nodes do not have, by where they stand. */
export interface Planted {
  /** Between 0 and 1: how far into the network. */
  readonly at: number;
  /** In terms of `a`, some value; or of what is planted before, `p0`, `p1` … */
  readonly text: string;
  readonly inside?: 'If' | 'Loop' | 'function';
}

/** A network of so many nodes on one input, each on what was made shortly before or long ago, with others planted in it. */
export function network(seed: number, count: number, planted: readonly Planted[]): Model {
  const random = randomNumbers(seed);
  const names = ['x'];
  const any = () => names[Math.floor(random() * names.length)] as string;
  const recent = () => names[Math.max(0, names.length - 1 - Math.floor(random() * 4))] as string;
  const lines: string[] = [];
  const add = (line: string, name: string) => {
    lines.push(`  [node_${name}] ${line}`);
    names.push(name);
  };
  const filled = (text: string) => text.replace(/\b[ab]\b/g, (letter) => (letter === 'a' ? recent() : any()));
  let next = 0;
  for (let i = 0; i < count; i++) {
    for (; next < planted.length && (planted[next] as Planted).at * count <= i; next++) {
      const { text, inside } = planted[next] as Planted;
      add(inside ? WITHIN[inside](text, `p${next}`, recent()) : `p${next} = ${filled(text)}`, `p${next}`);
    }
    const name = `v${i}`;
    add(`${name} = ${filled(OPERATORS[Math.floor(random() * OPERATORS.length)] as string)}`, name);
  }
  const read = new Set(lines.flatMap((line) => line.slice(line.indexOf('=')).match(/\b(x|[vp]\d+)\b/g) ?? []));
  const functions = planted.filter(({ inside }) => inside === 'function');
  return parseModel(`<ir_version: 10, opset_import: ["" : 21, "local" : 1]>
net (float[4,4] x) => (${names
    .filter((name) => !read.has(name))
    .map((name) => `float[4,4] ${name}`)
    .join(', ')})
<float[4,4] w = {${numbers(random, 16)}}, float[4] bias = {${numbers(random, 4)}}, bool yes = {1}, int64 times = {2}> {
${lines.join('\n')}
}
${functions.map(({ text }) => `<domain: "local", opset_import: ["" : 21]> ${calleeOf(text)} (c) => (f) { d = Tanh (c) e = ${text.replaceAll(/\ba\b/g, 'd')} f = Abs (e) }`).join('\n')}`);
}

const numbers = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => (random() - 0.5).toFixed(3)).join(', ');

const calleeOf = (text: string): string => `call_${/^\w+/.exec(text)?.[0]}`;

const WITHIN: Record<NonNullable<Planted['inside']>, (text: string, name: string, outer: string) => string> = {
  If: (text, name, outer) =>
    `${name} = If (yes) <then_branch = ${branch(text, `${name}_t`, outer)}, else_branch = ${branch('Sin (a)', `${name}_e`, outer)}>`,
  Loop: (text, name, outer) =>
    `${name} = Loop (times, yes, ${outer}) <body = ${name}_body (int64 ${name}_i, bool ${name}_c, float[4,4] ${name}_s) => (bool ${name}_d, float[4,4] ${name}_n) {
      ${name}_d = Identity (${name}_c)
      ${name}_h = Tanh (${name}_s)
      ${name}_k = ${text.replaceAll(/\ba\b/g, `${name}_h`)}
      ${name}_n = Abs (${name}_k)
    }>`,
  function: (text, name, outer) => `${name} = local.${calleeOf(text)} (${outer})`,
};

/** All nodes, those in subgraphs and functions included. */
export function allNodes({ proto: { graph, functions } }: Model): NodeProto[] {
  const under = (nodes: readonly NodeProto[]): NodeProto[] =>
    nodes.flatMap((node) => [node, ...under(node.attribute.flatMap(({ g }) => g?.node ?? []))]);
  return under([...(graph?.node ?? []), ...functions.flatMap(({ node }) => node)]);
}
