import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loweringOf } from '../src/backends/wasm/lowerings.js';
import { loadGroups } from '../src/groups/load-groups.js';
import type { AnyOperator } from '../src/schema/definition.js';
import { ANY, FLOAT8, FLOATS, INTEGERS, NUMBERS, SIGNED, UNSIGNED } from '../src/schema/element-sets.js';
import { ELEMENTS, type ElementType } from '../src/tensor/element-types.js';

const OPERATORS = new URL('../src/ops/', import.meta.url);
const PAGE = new URL('../docs/operators.md', import.meta.url);

const SETS: readonly (readonly [string, readonly ElementType[]])[] = [
  ['all types', ANY],
  ['numbers', NUMBERS],
  ['integers', INTEGERS],
  ['floats', FLOATS],
  ['8-bit floats', FLOAT8],
  ['signed integers', SIGNED],
  ['unsigned integers', UNSIGNED],
];

const INTRODUCTION = `# Operators

Made from the operators' definitions by \`npm run docs:operators\`; a test holds the page to them.

*Since* lists the opset versions at which a definition begins; each holds until the next. *Types* are those of the newest.
*Runs* says how: by kernels in WebAssembly, as other operators, or on the host, in TypeScript, which also serves the types
and the constants that kernels do not. If has no code of its own: its branch is planned in its place.

${SETS.slice(1)
  .map(([name, types]) => `- *${name}*: ${types.join(', ')}`)
  .join('\n')}
`;

const VALUES = `## Values out of the ordinary

A value comes out the same, NaN's bits aside, whether its operands are fed or constant, by the kernels of every engine and by the reference
provider. IEEE 754 decides it, then onnxruntime and numpy:

- *Cast of floats to integers* takes the integral part; of NaN that is 0. To int32, int64 and, for positive numbers, uint64 it saturates. Other
  types take the low bits of what int64 would hold: 300 is 44 as uint8, -1 is 255, infinity is 255 and minus infinity 0.
- *Cast of integers to narrower ones* takes the low bits. To bool, all but 0 is 1, NaN too.
- *Cast to float16 and bfloat16* rounds to float32 first; to 8-bit floats it saturates unless \`saturate\` is 0.
- *QuantizeLinear* makes 0 of NaN, whatever the zero point.
- *Pow* gives 1 for a base of 1 or an exponent of 0, even with NaN, and for -1 to the power of either infinity.
- *ArgMax and ArgMin* take NaN for more extreme than any number, as numpy does.
- *Max, Min, Clip and Relu* keep NaN. Max and Min know -0 for less than 0.
- *Sign* of either zero is 0; Sin and Elu keep the sign of zero, and Selu makes it 0. *ThresholdedRelu* makes 0 of NaN.
- *Division of integers* by 0 gives 0, and so does the remainder; the least integer divided by -1 is itself. Shifts by the width or more give 0.
- *Sums* of kernels are those of float32 and may overflow where the reference provider, in double precision, does not.
`;

/** Where ONNX's text leaves a choice, or frameworks differ from it. */
const NOTES = `## Where rounding and borders decide

Places, scales and regions are float32, as in PyTorch and onnxruntime, unless the model gives them as float64.

- **GridSample**, bicubic: a place outside the picture stays where it is, and each of the 4×4 pixels around it is padded, as in PyTorch, whose
  operator it is, and onnxruntime. The reference evaluator of the onnx package moves the place first.
- **Resize**: a coordinate within 1e-6 of the middle between two elements counts as the middle for \`round_prefer_floor\` and
  \`round_prefer_ceil\`, as in onnxruntime 1.30. Coordinates are divided by the scale; PyTorch's \`interpolate\` multiplies by its float32
  reciprocal, which takes another element at 0.5 % of places. Where a scale other than 1 leaves all sizes as they are, coordinates still follow
  from the scale, and \`align_corners\` stretches a fractional length as ONNX's own cases do; onnxruntime copies, and uses the whole length.
- **NonMaxSuppression**: the overlap is a quotient of float32, compared with the threshold.
`;

interface Found {
  readonly group: string;
  readonly operator: AnyOperator;
}

/** Every definition of ONNX's operators and the group, a folder, that it is in. */
async function definitions(): Promise<Found[]> {
  const files = readdirSync(OPERATORS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found: Found[] = [];
  for (const file of files.sort()) {
    const group = basename(dirname(file));
    if (group !== '.') {
      const module = (await import(new URL(file, OPERATORS).href)) as Record<string, unknown>;
      for (const operator of Object.values(module).flat().filter(isOperator)) found.push({ group, operator });
    }
  }
  return found.filter(({ operator }) => operator.domain !== 'sardonyx');
}

/** All versions of one operator go with the newest. */
function gathered(found: readonly Found[]): Found[][] {
  const byName = groupBy(found, ({ operator }) => `${operator.domain}:${operator.name}`);
  return byName.map(([, versions]) => versions.sort((a, b) => b.operator.since - a.operator.since));
}

const isOperator = (value: unknown): value is AnyOperator =>
  typeof value === 'object' && value !== null && 'infer' in value && 'signature' in value && 'since' in value;

/** Types in few words: sets that they hold whole by name, the rest one by one. */
function inWords(types: readonly ElementType[]): string {
  let rest = [...new Set(types)];
  const words: string[] = [];
  for (const [name, set] of SETS) {
    if (!set.every((type) => rest.includes(type))) continue;
    words.push(name);
    rest = rest.filter((type) => !set.includes(type));
  }
  return [...words, ...rest].join(', ');
}

function typesOf({ types, signature }: AnyOperator): string {
  const parameters = [...signature.inputs, ...signature.outputs].map(({ type }) => type);
  const variables = [...new Set(parameters)].filter((name) => types[name]);
  if (variables.length > 0) {
    const told = variables.map((name) => [name, inWords(types[name] as ElementType[])] as const);
    return told.length === 1 ? (told[0]?.[1] as string) : told.map(([name, words]) => `${name}: ${words}`).join('; ');
  }
  return inWords(parameters.filter((type): type is ElementType => type in ELEMENTS));
}

function placesOf(versions: readonly AnyOperator[]): string {
  const has = (rule: 'evaluate' | 'iterate' | 'decompose') => versions.some((version) => version[rule] !== undefined);
  const places = [
    versions.some(loweringOf) && 'kernels',
    has('decompose') && 'other operators',
    (has('evaluate') || has('iterate')) && 'host',
  ];
  return places.filter(Boolean).join(', ');
}

/** One row: its newest version, the first, says the types. */
function rowOf(versions: readonly AnyOperator[]): string {
  const newest = versions[0] as AnyOperator;
  const since = versions.map((version) => version.since).reverse();
  return `| ${newest.name} | ${since.join(', ')} | ${typesOf(newest)} | ${placesOf(versions)} |`;
}

const groupBy = <T>(items: readonly T[], key: (item: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
};

const domainOf = (found: Found | undefined) => found?.operator.domain || 'ai.onnx';

/** The page as it should be. */
export async function operatorPage(): Promise<string> {
  await loadGroups();
  const found = await definitions();
  const operators = gathered(found);
  const lines = [INTRODUCTION, VALUES, `${operators.length} operators.`, ''];
  const sections = groupBy(operators, ([newest]) => `${domainOf(newest)}: ${newest?.group}`);
  for (const [section, members] of sections) {
    lines.push(`## ${section}`, '', '| Operator | Since | Types | Runs |', '| --- | --- | --- | --- |');
    for (const versions of members) lines.push(rowOf(versions.map(({ operator }) => operator)));
    lines.push('');
  }
  return [...lines, NOTES].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(PAGE, await operatorPage());
