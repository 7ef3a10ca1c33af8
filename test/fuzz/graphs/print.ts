import type { AttributeInput } from '../../../src/builder/index.js';
import { InferenceSession } from '../../../src/index.js';
import type { Plain, PlainArray, PlainValue } from '../reference/array.js';
import type { Minimal } from './minimise.js';
import { isPlainArray } from './plain-tensors.js';
import type { Body, ProgramConstant, ProgramNode } from './program.js';

/** The case as a program for the builder, ready to become a test. */
export async function printed({ case: c, finding, rewrites }: Minimal, seed: number): Promise<string> {
  const { program, feeds, bytes, expected } = c;
  const culprit = rewrites ? await ruleOf(bytes, rewrites) : undefined;
  const set = finding.set ?? 0;
  return [
    `// seed ${seed}, mode "${finding.mode.name}"${culprit ? `, after rewrite ${rewrites}, "${culprit}"` : ''}`,
    `// ${finding.kind}: ${finding.message.split('\n').slice(0, 12).join('\n//   ')}`,
    `const b = modelBuilder({ opset: ${program.opset} });`,
    ...program.functions.flatMap(({ name, inputs, nodes, outputs }) => [
      `b.function({ domain: 'local', name: '${name}', inputs: ${JSON.stringify(inputs)} }, (f, [${inputs}]) => {`,
      ...nodes.map((node) => `  ${nodeLine(node, 'f')}`),
      ...outputs.map((name) => `  f.output('${name}', ${name});`),
      '});',
    ]),
    ...program.inputs.map(
      ({ name, type, dims }) => `const ${name} = b.input('${name}', '${type}', ${JSON.stringify(dims)});`,
    ),
    ...program.constants.map(constantLine),
    ...program.nodes.map((node) => nodeLine(node, 'b')),
    ...program.outputs.map((name) => `b.output('${name}', ${name});`),
    ...program.inputs.map(({ name }) => `feeds.${name} = ${valueText(feeds[set]?.get(name))};`),
    ...program.outputs.map((name) => `// ${name}: ${valueText(expected[set]?.get(name))}`),
  ].join('\n');
}

async function ruleOf(bytes: Uint8Array, rewrites: number): Promise<string | undefined> {
  const session = await InferenceSession.create(bytes, { maxRewrites: rewrites }).catch(() => undefined);
  const name = session?.rewrites.applied.at(-1)?.rule;
  await session?.release();
  return name;
}

function constantLine({ name, value, isInput }: ProgramConstant): string {
  const text = valueText(value);
  if (isInput) return `const ${name} = b.input('${name}', '${value.type}', [${value.dims}], { default: ${text} });`;
  return `const ${name} = b.constant('${name}', ${text});`;
}

function nodeLine({ op, domain, inputs, outputs, attributes, bodies = {} }: ProgramNode, builder: string): string {
  const graphs = Object.entries(bodies).map(([name, body]) => `${name}: ${bodyText(body, builder)}`);
  const given = [...Object.entries(attributes).map(([name, value]) => `${name}: ${attributeText(value)}`), ...graphs];
  const options = [
    `outputs: [${outputs.map((name) => (name ? `'${name}'` : 'null'))}]`,
    ...(domain ? [`domain: '${domain}'`] : []),
  ];
  return `const [${outputs.map((name) => name ?? '')}] = ${builder}.node('${op}', [${inputs.map((name) => name ?? 'null').join(', ')}], { ${given.join(', ')} }, { ${options.join(', ')} });`;
}

const bodyText = ({ inputs, nodes, outputs }: Body, builder: string): string =>
  [
    `${builder}.subgraph('body', (g) => {`,
    ...inputs.map(
      ({ name, type, dims }) => `  const ${name} = g.input('${name}', '${type}', ${JSON.stringify(dims)});`,
    ),
    ...nodes.map((node) => `  ${nodeLine(node, 'g')}`),
    ...outputs.map((name) => `  g.output('${name}', ${name});`),
    '})',
  ].join('\n');

const attributeText = (value: AttributeInput | undefined): string =>
  JSON.stringify(value, (_, x) => (ArrayBuffer.isView(x) ? Array.from(x as unknown as ArrayLike<number>) : x));

const MOST_SHOWN = 64;
const plainText = (x: Plain) =>
  typeof x === 'bigint' ? `${x}n` : typeof x === 'string' ? JSON.stringify(x) : Object.is(x, -0) ? '-0' : `${x}`;

function valueText(value: PlainValue | undefined): string {
  if (!isPlainArray(value)) return value ? `[${(value as readonly PlainArray[]).map(valueText)}]` : 'null';
  const { type, dims, data } = value;
  const shown = data.slice(0, MOST_SHOWN).map(plainText).join(', ');
  return `tensor('${type}', [${dims}], [${shown}${data.length > MOST_SHOWN ? `, /* ${data.length} in all */` : ''}])`;
}
