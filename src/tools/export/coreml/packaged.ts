import type { GraphProto, NodeProto, ValueInfoProto } from '../../../../build/onnx.js';
import { allOf } from '../../../model/document/left-bytes.js';
import type { Model } from '../../../model/document/model.js';
import { toNumber } from '../../../model/int64.js';
import { readElementType, readTensor } from '../../../model/tensors.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { convertVersion } from '../../convert/index.js';
import { inside } from '../../import/import-weights.js';
import { inferShapes } from '../../infer/index.js';
import { isOnnx, opsetOf } from '../../quantize/nodes.js';
import { simplify } from '../../simplify/index.js';
import { rawDataOf } from '../../tensor-data.js';
import { Refusals } from '../../translation-error.js';
import { BlobFile } from './blob-file.js';
import { ELEMENTWISE } from './elementwise.js';
import { LAYERS } from './layers.js';
import { type MilType, named, type Shaped, scalar } from './mil.js';
import { type Known, milTypeOf, Program, type Recipe, refuse, View } from './program.js';
import { SHAPES } from './shapes.js';
import { type Bytes, entry, joined, message, number, packed, text } from './wire.js';

const RECIPES: Readonly<Record<string, Recipe>> = { ...ELEMENTWISE, ...LAYERS, ...SHAPES };

/** The opset that recipes expect. */
const OPSET = 18;

/** The specification version for iOS 15 and macOS 12. */
const SPECIFICATION = 6;
const MIL_OPSET = 'CoreML5';

/** Converts a model to the files of a package, by path. */
export async function packaged(
  model: Model,
  sizes: Readonly<Record<string, number>>,
): Promise<Map<string, Uint8Array>> {
  const current = opsetOf(model.proto) < OPSET ? await convertVersion(model, OPSET) : model;
  const { model: simple } = await simplify(current, { sizes });
  const inferred = await inferShapes(simple, sizesIn(simple, sizes));
  const graph = inferred.proto.graph as GraphProto;
  const constants = new Map<string, TensorValue>();
  for (const tensor of graph.initializer) {
    if (tensor.dataType === STRING) continue;
    const data = await allOf(await rawDataOf(tensor, inferred));
    constants.set(tensor.name, readTensor(inside(tensor, data)));
  }
  const blobs = new BlobFile();
  const specification = modelOf(graph, new Program({ ...typesIn(graph), constants }, blobs));
  return new Map([
    ['Manifest.json', new TextEncoder().encode(`${JSON.stringify(MANIFEST, undefined, 2)}\n`)],
    [`Data/${MODEL}`, specification],
    [`Data/${WEIGHTS}/weight.bin`, blobs.bytes],
  ]);
}

const STRING = 8;

const AUTHOR = 'com.apple.CoreML';
const [MODEL, WEIGHTS] = [`${AUTHOR}/model.mlmodel`, `${AUTHOR}/weights`];
/** Identifiers only have to be unique within a package. They are fixed so that equal models produce equal files. */
const [FIRST, SECOND] = ['5A0D0E5C-0001-4000-8000-000000000001', '5A0D0E5C-0001-4000-8000-000000000002'];
const MANIFEST = {
  fileFormatVersion: '1.0.0',
  itemInfoEntries: {
    [FIRST]: { author: AUTHOR, description: 'CoreML Model Specification', name: 'model.mlmodel', path: MODEL },
    [SECOND]: { author: AUTHOR, description: 'CoreML Model Weights', name: 'weights', path: WEIGHTS },
  },
  rootModelIdentifier: FIRST,
};

/** The given sizes whose names are still in the model after simplification. */
function sizesIn({ proto }: Model, sizes: Readonly<Record<string, number>>) {
  const names = new Set(
    (proto.graph?.input ?? []).flatMap(({ type }) => type?.tensorType?.shape?.dim.map(({ dimParam }) => dimParam)),
  );
  return { sizes: Object.fromEntries(Object.entries(sizes).filter(([name]) => names.has(name))) };
}

/** The types of values with known sizes, and the values whose types Core ML does not support. */
function typesIn(graph: GraphProto): Pick<Known, 'types' | 'foreign'> {
  const types = new Map<string, Shaped>();
  const foreign = new Map<string, ElementType>();
  const add = (name: string, code: number, dims: readonly number[] | undefined) => {
    const type = readElementType(code, name);
    const own = milTypeOf(type);
    if (!own) foreign.set(name, type);
    else if (dims) types.set(name, { type: own, dims });
  };
  for (const { name, dims, dataType } of graph.initializer) add(name, dataType, dims.map(toNumber));
  for (const info of [...graph.input, ...graph.valueInfo, ...graph.output]) {
    const code = info.type?.tensorType?.elemType;
    if (code) add(info.name, code, dimsOf(info));
  }
  return { types, foreign };
}

function dimsOf({ type }: ValueInfoProto): number[] | undefined {
  const sizes = type?.tensorType?.shape?.dim.map(({ dimValue }) =>
    dimValue === undefined || dimValue === null ? -1 : toNumber(dimValue),
  );
  return sizes?.every((size) => size > 0) ? sizes : undefined;
}

function modelOf(graph: GraphProto, program: Program): Bytes {
  const refusals = new Refusals();
  const given = graph.input.filter(({ name }) => !program.known.constants.has(name));
  const inputs = given.map(({ name }) => refusals.collect(name, 'input', () => input(program, name)));
  const lost = new Set<string>();
  for (const node of graph.node) {
    const work = () => translate(node, program);
    const isLost = node.input.some((name) => lost.has(name));
    // Nodes that depend on an unsupported node are not reported.
    if (isLost || !refusals.collect(node.name || (node.output[0] ?? ''), node.opType, work))
      for (const name of node.output) lost.add(name);
  }
  const outputs = graph.output.map(({ name }) =>
    lost.has(name) ? undefined : refusals.collect(name, 'output', () => output(program, name)),
  );
  refusals.check();
  const features = (field: number, borders: readonly (Border | undefined)[]) =>
    borders.flatMap((border) => (border ? [feature(field, border)] : []));
  const block = [...outputs.map((border) => text(2, border?.name ?? '')), ...program.operations];
  const main = [
    ...inputs.map((border) => named(1, border?.name ?? '', border as Border)),
    text(2, MIL_OPSET),
    entry(3, MIL_OPSET, ...block),
  ];
  return joined([
    number(1, SPECIFICATION),
    message(2, ...features(1, inputs), ...features(10, outputs)),
    message(502, number(1, 1), entry(2, 'main', ...main)),
  ]);
}

function translate(node: NodeProto, program: Program): true {
  const recipe = isOnnx(node) && Object.hasOwn(RECIPES, node.opType) ? RECIPES[node.opType] : undefined;
  if (!recipe) refuse('Core ML export does not support this operator');
  recipe(new View(node, program));
  return true;
}

/** An input or output of the Core ML model: an array of floats or integers. */
interface Border extends Shaped {
  readonly name: string;
}

const ARRAY_TYPES: Partial<Record<MilType, number>> = { fp32: 65568, int32: 131104 };

const feature = (field: number, { name, type, dims }: Border): Bytes =>
  message(field, text(1, name), message(3, message(5, packed(1, dims), number(2, ARRAY_TYPES[type] as number))));

/** The type of an input or output. Booleans become integers, as arrays do not support them. */
function bordering(program: Program, value: string): Shaped {
  const { type, dims } = program.shapeOf(value);
  if (dims.length === 0) refuse('Core ML does not support scalar inputs and outputs');
  return { type: type === 'bool' ? 'int32' : type, dims };
}

function input(program: Program, value: string): Border {
  const border = { name: program.define(value), ...bordering(program, value) };
  const { type, dims } = program.shapeOf(value);
  if (type !== border.type) {
    const own = program.fresh(`${value}_cast`);
    program.emit('cast', { x: border.name, dtype: scalar('string', type) }, [[own, { type, dims }]]);
    program.alias(value, own);
  }
  return border;
}

/** Writes an output. If a cast or a copy produces it, it gets a name of its own. */
function output(program: Program, value: string): Border {
  const border = bordering(program, value);
  const own = program.value(value);
  const { type } = program.shapeOf(value);
  const isMade = program.isMade(own);
  if (type === border.type && isMade) return { name: own, ...border };
  const name = program.fresh(`${value}_output`);
  if (type === border.type) program.emit('identity', { x: own }, [[name, border]]);
  else program.emit('cast', { x: own, dtype: scalar('string', border.type) }, [[name, border]]);
  return { name, ...border };
}
