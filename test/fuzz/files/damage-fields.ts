import { FLOATS, oddInteger, STRINGS } from './odd.js';
import type { Random } from './random.js';
import { type Field, fieldsOf, type Message, messagesIn, textField, textOf, varintBytes } from './wire.js';

/** Changes the tree of a model in place. */
export type TreeDamage = (model: Message, random: Random) => void;

/** A message of a tree: of a kind drawn first, so that rare kinds have their turn. */
export function messageIn(model: Message, random: Random, isWanted: (message: Message) => boolean = () => true) {
  const byType = grouped(messagesIn(model).filter(isWanted));
  const found = random.pick(random.pick([...byType.values()]) ?? []);
  if (!found) throw new NoPlace();
  return found;
}

/** The tree has nothing that such damage could be done to. */
export class NoPlace extends Error {}

function grouped(messages: readonly Message[]): Map<string, Message[]> {
  const byType = new Map<string, Message[]>();
  for (const message of messages) byType.set(message.type, [...(byType.get(message.type) ?? []), message]);
  return byType;
}

/** One message of that type. */
export const oneOf = (model: Message, type: string, random: Random): Message | undefined =>
  random.pick(messagesIn(model).filter((message) => message.type === type));

const hasFields = ({ fields }: Message) => fields.length > 0;

/** Every name that a model has: of values, nodes, operators, attributes, domains. */
export function namesIn(model: Message): string[] {
  const names = new Set<string>();
  for (const { type, fields } of messagesIn(model)) {
    const known = fieldsOf(type);
    for (const field of fields) if (known.get(field.id)?.type === 'string') names.add(textOf(field));
  }
  return [...names];
}

const isNumber = (type: string | undefined) => type !== undefined && /^(u?int|enum|float|double)/.test(type);

/** The bytes of an odd number as the wire has that type. */
function oddBytes(type: string, random: Random): Uint8Array {
  if (!/^(float|double)/.test(type)) return varintBytes(oddInteger(random));
  const x = random.pick(FLOATS);
  return new Uint8Array((type === 'float' ? Float32Array : Float64Array).of(x).buffer);
}

function oddNumber(id: number, type: string, random: Random): Field {
  if (type === 'float') return { id, wire: 5, bytes: oddBytes(type, random) };
  if (type === 'double') return { id, wire: 1, bytes: oddBytes(type, random) };
  return { id, wire: 0, value: oddInteger(random) };
}

/** The same payload on another wire. */
function retyped(field: Field, random: Random): Field {
  const { id } = field;
  const bytes = 'bytes' in field ? field.bytes : varintBytes('value' in field ? field.value : 1n);
  return random.pick<Field>([
    { id, wire: 0, value: BigInt(bytes[0] ?? 0) },
    { id, wire: 1, bytes: Uint8Array.from({ length: 8 }, (_, i) => bytes[i] ?? 0) },
    { id, wire: 5, bytes: Uint8Array.from({ length: 4 }, (_, i) => bytes[i] ?? 0) },
    { id, wire: 2, bytes },
  ]);
}

/** Damage that knows the wire and the kinds of messages, not what they mean. */
export const FIELD_DAMAGES: Readonly<Record<string, TreeDamage>> = {
  'a field left out': (model, random) => {
    const { fields } = messageIn(model, random, hasFields);
    fields.splice(random.below(fields.length), 1);
  },
  'a field repeated': (model, random) => {
    const { fields } = messageIn(model, random, hasFields);
    const field = random.pick(fields);
    fields.splice(random.below(fields.length + 1), 0, ...new Array<Field>(random.pick([1, 1, 1, 2, 300])).fill(field));
  },
  'a field moved to another message': (model, random) => {
    const from = messageIn(model, random, hasFields);
    const to = random.chance(0.7)
      ? messageIn(model, random, ({ type }) => type === from.type)
      : messageIn(model, random);
    const [field] = from.fields.splice(random.below(from.fields.length), 1) as [Field];
    if (!('message' in field) || !messagesIn(field.message).includes(to)) to.fields.push(field);
  },
  'a field retyped': (model, random) => {
    const { fields } = messageIn(model, random, hasFields);
    const at = random.below(fields.length);
    fields[at] = retyped(fields[at] as Field, random);
  },
  'a field renumbered': (model, random) => {
    const { type, fields } = messageIn(model, random, hasFields);
    const at = random.below(fields.length);
    const id = random.chance(0.8) ? random.pick([...fieldsOf(type).keys()]) : random.pick([0, 99, 1000, 2 ** 29 - 1]);
    fields[at] = { ...(fields[at] as Field), id };
  },
  'two fields exchanged': (model, random) => {
    const one = messageIn(model, random, hasFields);
    const other = messageIn(model, random, (message) => message.type === one.type && hasFields(message));
    const at = random.below(one.fields.length);
    const field = one.fields[at] as Field;
    const same = other.fields.flatMap(({ id }, i) => (id === field.id ? [i] : []));
    if (same.length === 0) return;
    const to = random.pick(same);
    [one.fields[at], other.fields[to]] = [other.fields[to] as Field, field];
  },
  'fields in another order': (model, random) => {
    const { fields } = messageIn(model, random, hasFields);
    const [a, b] = [random.below(fields.length), random.below(fields.length)];
    [fields[a], fields[b]] = [fields[b] as Field, fields[a] as Field];
  },
  'a number replaced': (model, random) => {
    const { type, fields } = messageIn(model, random, ({ type, fields }) =>
      fields.some(({ id }) => isNumber(fieldsOf(type).get(id)?.type)),
    );
    const at = random.pick(fields.flatMap(({ id }, i) => (isNumber(fieldsOf(type).get(id)?.type) ? [i] : [])));
    const { id } = fields[at] as Field;
    fields[at] = oddNumber(id, fieldsOf(type).get(id)?.type as string, random);
  },
  'a number added': (model, random) => {
    const { type, fields } = messageIn(model, random, ({ type }) =>
      [...fieldsOf(type).values()].some((field) => isNumber(field.type)),
    );
    const [id, field] = random.pick([...fieldsOf(type)].filter(([, { type }]) => isNumber(type)));
    fields.push(oddNumber(id, field.type, random));
  },
  'a word replaced': (model, random) => {
    const isWord = (type: string | undefined) => type === 'string' || type === 'bytes';
    const { type, fields } = messageIn(model, random, ({ type, fields }) =>
      fields.some(({ id }) => isWord(fieldsOf(type).get(id)?.type)),
    );
    const at = random.pick(fields.flatMap(({ id }, i) => (isWord(fieldsOf(type).get(id)?.type) ? [i] : [])));
    const { id } = fields[at] as Field;
    if (random.chance(0.05)) fields[at] = { id, wire: 2, bytes: Uint8Array.of(0xc3, 0x28, 0xff) };
    else fields[at] = textField(id, random.pick(random.chance(0.8) ? namesIn(model) : STRINGS) ?? '');
  },
  'a length that lies': (model, random) => {
    const { fields } = messageIn(model, random, ({ fields }) => fields.some(({ wire }) => wire === 2));
    const at = random.pick(fields.flatMap(({ wire }, i) => (wire === 2 ? [i] : [])));
    fields[at] = { ...(fields[at] as Field & { wire: 2 }), claimed: oddInteger(random) };
  },
  'an empty message added': (model, random) => {
    const { type, fields } = messageIn(model, random);
    const known = [...fieldsOf(type)];
    const [id] = random.pick(known.filter(([, { isMessage }]) => isMessage)) ?? random.pick(known) ?? [1];
    fields.push({ id, wire: 2, bytes: new Uint8Array() });
  },
};
