import { writeTensor } from '../../../src/model/write-model.js';
import { elementTypeOf } from '../../../src/tensor/element-types.js';
import { oneOf, type TreeDamage } from './damage-fields.js';
import { oddDims, oddInteger } from './odd.js';
import { oddTensor } from './odd-tensors.js';
import type { Random } from './random.js';
import { type Field, idOf, type Message, numberField, parse, textOf } from './wire.js';

const id = (name: string) => idOf('TensorProto', name);

const DATA = ['floatData', 'int32Data', 'stringData', 'int64Data', 'rawData', 'doubleData', 'uint64Data'].map(id);

const isData = (field: Field) => DATA.includes(field.id);

/** Runs on a tensor of the model, where it has one. */
const onTensor =
  (damage: (tensor: Message, random: Random) => void): TreeDamage =>
  (model, random) => {
    const tensor = oneOf(model, 'TensorProto', random);
    if (tensor) damage(tensor, random);
  };

function typeOf(tensor: Message) {
  const field = tensor.fields.find((field) => field.id === id('dataType'));
  return field?.wire === 0 ? elementTypeOf(Number(field.value)) : undefined;
}

/** The tensor with these contents, under its name. */
function become(tensor: Message, bytes: Uint8Array): void {
  const name = tensor.fields.filter((field) => field.id === id('name'));
  const { fields } = parse(bytes, 'TensorProto') as Message;
  tensor.fields = [...fields.filter((field) => field.id !== id('name')), ...name];
}

const withDims = (tensor: Message, dims: readonly (number | bigint)[]) => {
  tensor.fields = [
    ...dims.map((size) => numberField(id('dims'), size)),
    ...tensor.fields.filter((field) => field.id !== id('dims')),
  ];
};

/** Damage to tensors: a tensor that is whole but odd goes further than one that is not. */
export const TENSOR_DAMAGES: Readonly<Record<string, TreeDamage>> = {
  'another whole tensor': onTensor((tensor, random) => become(tensor, writeTensor(oddTensor(random, typeOf(tensor))))),
  'an empty tensor': onTensor((tensor, random) =>
    become(tensor, writeTensor(oddTensor(random, typeOf(tensor), random.pick([[0], [0], [0, 2], [2, 0]])))),
  ),
  'a tensor of another rank': onTensor((tensor, random) =>
    become(tensor, writeTensor(oddTensor(random, typeOf(tensor), random.pick([[], [1], [1, 1], [2, 2], [1, 1, 1]])))),
  ),
  'other dims': onTensor((tensor, random) =>
    withDims(tensor, random.chance(0.5) ? oddDims(random) : [oddInteger(random)]),
  ),
  'a dim changed': onTensor(({ fields }, random) => {
    const dims = fields.flatMap((field, i) => (field.id === id('dims') ? [i] : []));
    if (dims.length > 0) fields[random.pick(dims)] = numberField(id('dims'), oddInteger(random));
  }),
  'another element type': onTensor(({ fields }, random) => {
    const at = fields.findIndex((field) => field.id === id('dataType'));
    if (at >= 0) fields[at] = numberField(id('dataType'), random.below(30));
  }),
  'data of another length': onTensor(({ fields }, random) => {
    const at = fields.findIndex(isData);
    const field = fields[at];
    if (!field || !('bytes' in field) || field.wire !== 2) return;
    const length = Math.max(0, field.bytes.length + random.pick([-8, -4, -1, 1, 4, 8, 64]));
    fields[at] = { ...field, bytes: Uint8Array.from({ length }, (_, i) => field.bytes[i] ?? 0) };
  }),
  'other data': onTensor(({ fields }, random) => {
    const at = fields.findIndex(isData);
    const field = fields[at];
    if (!field || !('bytes' in field) || field.wire !== 2) return;
    const byte = random.pick([0, 1, 2, 127, 128, 255]);
    const isMixed = random.chance(0.5);
    fields[at] = { ...field, bytes: field.bytes.map(() => (isMixed ? random.below(256) : byte)) };
  }),
  'data in two fields': onTensor(({ fields }, random) => {
    fields.push({ id: random.pick(DATA), wire: 2, bytes: Uint8Array.from({ length: random.below(16) }, () => 1) });
  }),
  'data of another tensor': (model, random) => {
    const [one, other] = [oneOf(model, 'TensorProto', random), oneOf(model, 'TensorProto', random)];
    if (one && other)
      one.fields = [...other.fields.filter(({ id: n }) => n !== id('name')), ...one.fields.filter(isName)];
  },
};

const isName = (field: Field) => field.id === id('name') && textOf(field) !== '';
