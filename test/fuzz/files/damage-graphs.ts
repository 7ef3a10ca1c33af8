import { writeTensor } from '../../../src/model/write-model.js';
import { allOperators } from '../../../src/schema/registry.js';
import { namesIn, oneOf, type TreeDamage } from './damage-fields.js';
import { FLOATS, oddInteger, STRINGS } from './odd.js';
import { oddTensor } from './odd-tensors.js';
import type { Random } from './random.js';
import { type Field, idOf, type Message, messagesIn, numberField, textField, textOf } from './wire.js';

const node = (name: string) => idOf('NodeProto', name);
const attribute = (name: string) => idOf('AttributeProto', name);
const graph = (name: string) => idOf('GraphProto', name);

const on =
  (type: string, damage: (message: Message, random: Random, model: Message) => void): TreeDamage =>
  (model, random) => {
    const message = oneOf(model, type, random);
    if (message) damage(message, random, model);
  };

const places = ({ fields }: Message, id: number) => fields.flatMap((field, i) => (field.id === id ? [i] : []));

const float = (id: number, x: number): Field => ({ id, wire: 5, bytes: new Uint8Array(Float32Array.of(x).buffer) });

const repeat = <T>(random: Random, draw: () => T): T[] => Array.from({ length: random.below(6) }, draw);

/** Values of attributes: number of the type, and fields. */
const VALUES: readonly ((random: Random) => readonly [number, readonly Field[]])[] = [
  (random) => [1, [float(attribute('f'), random.pick(FLOATS))]],
  (random) => [2, [numberField(attribute('i'), oddInteger(random))]],
  (random) => [3, [textField(attribute('s'), random.pick(STRINGS))]],
  (random) => [4, [{ id: attribute('t'), wire: 2, bytes: writeTensor(oddTensor(random)) }]],
  (random) => [6, repeat(random, () => float(attribute('floats'), random.pick(FLOATS)))],
  (random) => [7, repeat(random, () => numberField(attribute('ints'), oddInteger(random)))],
  (random) => [8, repeat(random, () => textField(attribute('strings'), random.pick(STRINGS)))],
  (random) => [9, repeat(random, () => ({ id: attribute('tensors'), wire: 2, bytes: writeTensor(oddTensor(random)) }))],
  () => [5, [{ id: attribute('g'), wire: 2, bytes: new Uint8Array() }]],
  () => [13, [{ id: attribute('tp'), wire: 2, bytes: new Uint8Array() }]],
];

const PAYLOAD = ['f', 'i', 's', 't', 'g', 'floats', 'ints', 'strings', 'tensors', 'graphs', 'tp', 'typeProtos', 'type'];

const setAttribute = (message: Message, [type, value]: readonly [number, readonly Field[]]) => {
  const replaced = new Set(PAYLOAD.map(attribute));
  message.fields = [
    ...message.fields.filter(({ id }) => !replaced.has(id)),
    ...value,
    numberField(attribute('type'), type),
  ];
};

/** A value of the type that it has. */
function valueLike({ fields }: Message, random: Random) {
  const type = fields.find(({ id }) => id === attribute('type'));
  const code = type?.wire === 0 ? Number(type.value) : 0;
  const same = VALUES.map((value) => value(random)).find(([number]) => number === code);
  return same ?? random.pick(VALUES)(random);
}

const wordsOf = (message: Message, id: number) => message.fields.filter((field) => field.id === id).map(textOf);

/** The words of one field, in place of those there. */
const setWords = (message: Message, id: number, words: readonly string[]) => {
  message.fields = [...message.fields.filter((field) => field.id !== id), ...words.map((word) => textField(id, word))];
};

const shuffled = <T>(list: readonly T[], random: Random): T[] => {
  const left = [...list];
  return list.map(() => left.splice(random.below(left.length), 1)[0] as T);
};

const attributeNames = (model: Message) =>
  messagesIn(model).flatMap((message) =>
    message.type === 'AttributeProto' ? wordsOf(message, attribute('name')) : [],
  );

const operatorsIn = (model: Message) =>
  messagesIn(model).flatMap((message) => (message.type === 'NodeProto' ? wordsOf(message, node('opType')) : []));

const copyOf = (field: Field): Field =>
  'message' in field ? { ...field, message: { ...field.message, fields: field.message.fields.map(copyOf) } } : field;

/** Damage to what a model says: attributes, nodes, graphs, versions. */
export const GRAPH_DAMAGES: Readonly<Record<string, TreeDamage>> = {
  'an attribute of another type': on('AttributeProto', (message, random) =>
    setAttribute(message, random.pick(VALUES)(random)),
  ),
  'an odd attribute of its type': on('AttributeProto', (message, random) =>
    setAttribute(message, valueLike(message, random)),
  ),
  'a number of an attribute': on('AttributeProto', (message, random) => {
    const at = [...places(message, attribute('ints')), ...places(message, attribute('i'))];
    const field = message.fields[random.pick(at)];
    if (field) message.fields[message.fields.indexOf(field)] = numberField(field.id, oddInteger(random));
  }),
  'one number more or fewer in an attribute': on('AttributeProto', (message, random) => {
    const list = random.pick(['ints', 'floats', 'strings']);
    const at = places(message, attribute(list));
    const field = message.fields[at[0] as number];
    if (!field) return;
    if (random.chance(0.5)) message.fields.splice(at[0] as number, 1);
    else message.fields.push(field);
  }),
  'an attribute left out': on('NodeProto', (message, random) => {
    const at = places(message, node('attribute'));
    if (at.length > 0) message.fields.splice(random.pick(at), 1);
  }),
  'an attribute doubled': on('NodeProto', (message, random) => {
    const field = message.fields[random.pick(places(message, node('attribute')))];
    if (field) message.fields.push(copyOf(field));
  }),
  "another attribute's name": on('AttributeProto', (message, random, model) =>
    setWords(message, attribute('name'), [random.pick(attributeNames(model)) ?? 'axis']),
  ),
  'an attribute that refers to one of a function': on('AttributeProto', (message, random, model) => {
    message.fields.push(textField(attribute('refAttrName'), random.pick(attributeNames(model))));
  }),
  'inputs in another order': on('NodeProto', (message, random) =>
    setWords(message, node('input'), shuffled(wordsOf(message, node('input')), random)),
  ),
  'an input left out': on('NodeProto', (message, random) => {
    const words = wordsOf(message, node('input'));
    words[random.below(words.length)] = '';
    setWords(message, node('input'), words);
  }),
  'another input': on('NodeProto', (message, random, model) => {
    const words = wordsOf(message, node('input'));
    words[random.below(words.length)] = random.pick(namesIn(model));
    setWords(message, node('input'), words);
  }),
  'inputs more or fewer': on('NodeProto', (message, random, model) => {
    const words = wordsOf(message, node('input'));
    const more = Array.from({ length: random.pick([1, 1, 3, 40]) }, () => random.pick(namesIn(model)));
    setWords(message, node('input'), random.chance(0.5) ? words.slice(1 + random.below(2)) : [...words, ...more]);
  }),
  'outputs more or fewer': on('NodeProto', (message, random) => {
    const words = wordsOf(message, node('output'));
    const more = Array.from({ length: random.pick([1, 2, 20]) }, (_, i) => `more${i}`);
    setWords(message, node('output'), random.chance(0.5) ? words.slice(1) : [...words, ...more]);
  }),
  'an output of another name': on('NodeProto', (message, random, model) => {
    const words = wordsOf(message, node('output'));
    words[random.below(words.length)] = random.pick(namesIn(model));
    setWords(message, node('output'), words);
  }),
  'a node that needs itself': on('NodeProto', (message, random) => {
    const outputs = wordsOf(message, node('output'));
    const words = wordsOf(message, node('input'));
    words[random.below(words.length)] = random.pick(outputs) ?? '';
    setWords(message, node('input'), words);
  }),
  'another operator': on('NodeProto', (message, random, model) => {
    const { name, domain } = random.pick(allOperators());
    const isNear = random.chance(0.3);
    setWords(message, node('opType'), [isNear ? random.pick(operatorsIn(model)) : name]);
    if (!isNear) setWords(message, node('domain'), [domain]);
  }),
  'two operators exchanged': (model, random) => {
    const [one, other] = [oneOf(model, 'NodeProto', random), oneOf(model, 'NodeProto', random)];
    if (!one || !other) return;
    const [a, b] = [one, other].map((message) => wordsOf(message, node('opType'))) as [string[], string[]];
    setWords(one, node('opType'), b);
    setWords(other, node('opType'), a);
  },
  'a node in another graph': (model, random) => {
    const [from, to] = [oneOf(model, 'GraphProto', random), oneOf(model, 'GraphProto', random)];
    if (!from || !to) return;
    const at = places(from, graph('node'));
    const [field] = at.length > 0 ? from.fields.splice(random.pick(at), 1) : [];
    if (field && !('message' in field && messagesIn(field.message).includes(to))) to.fields.push(field);
  },
  'a graph elsewhere': (model, random) => {
    const holders = messagesIn(model).filter((message) => places(message, attribute('g')).length > 0);
    const [from, to] = [random.pick(holders), oneOf(model, 'AttributeProto', random)];
    const field = from?.type === 'AttributeProto' && from.fields.find(({ id }) => id === attribute('g'));
    if (field && to) setAttribute(to, [5, [copyOf(field)]]);
  },
  'inputs or outputs of a graph changed': on('GraphProto', (message, random) => {
    const id = graph(random.pick(['input', 'output']));
    const at = places(message, id);
    const place = random.pick(at);
    if (place === undefined) return;
    if (random.chance(0.5)) message.fields.splice(place, 1);
    else message.fields.push(copyOf(message.fields[place] as Field));
  }),
  'every output of the model': (model) => {
    const whole = model.fields.find(({ id }) => id === idOf('ModelProto', 'graph'));
    if (!whole || !('message' in whole)) return;
    const nodes = whole.message.fields.flatMap((field) =>
      field.id === graph('node') && 'message' in field ? wordsOf(field.message, node('output')) : [],
    );
    for (const name of new Set(nodes))
      if (name) whole.message.fields.push({ id: graph('output'), wire: 2, message: valueInfo(name) });
  },
  'a type that lies': on('ValueInfoProto', (message, random) => {
    const type = idOf('ValueInfoProto', 'type');
    const dims = Array.from({ length: random.below(4) }, () => numberField(1, oddInteger(random)));
    const shape: Message = {
      type: 'TensorShapeProto',
      fields: dims.map((dim) => ({ id: 1, wire: 2, message: { type: 'TensorShapeProto.Dimension', fields: [dim] } })),
    };
    const tensor: Message = {
      type: 'TypeProto.Tensor',
      fields: [numberField(1, random.below(26)), { id: 2, wire: 2, message: shape }],
    };
    const kind = random.pick(['tensorType', 'tensorType', 'sparseTensorType'] as const);
    const made: Message = { type: 'TypeProto', fields: [{ id: idOf('TypeProto', kind), wire: 2, message: tensor }] };
    message.fields = [...message.fields.filter(({ id }) => id !== type), { id: type, wire: 2, message: made }];
  }),
  'no types': (model) => {
    const type = idOf('ValueInfoProto', 'type');
    for (const message of messagesIn(model))
      if (message.type === 'ValueInfoProto') message.fields = message.fields.filter(({ id }) => id !== type);
  },
  'another version': on('OperatorSetIdProto', (message, random) => {
    const version = random.chance(0.7) ? BigInt(random.below(27)) : oddInteger(random);
    message.fields = [...message.fields.filter(({ id }) => id !== 2), numberField(2, version)];
  }),
  'another IR version': (model, random) => {
    const id = idOf('ModelProto', 'irVersion');
    const version = random.chance(0.7) ? BigInt(random.below(14)) : oddInteger(random);
    model.fields = [...model.fields.filter((field) => field.id !== id), numberField(id, version)];
  },
};

const valueInfo = (name: string): Message => ({ type: 'ValueInfoProto', fields: [textField(1, name)] });
