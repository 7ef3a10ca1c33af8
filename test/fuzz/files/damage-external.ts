import type { Random } from './random.js';
import { idOf, type Message, messagesIn, numberField, textField, textOf } from './wire.js';

const id = (name: string) => idOf('TensorProto', name);

/** Entries of external data as key and value, in their order. */
type Entries = (readonly [key: string, value: string])[];

const LOCATIONS = [
  '',
  '.',
  '..',
  '/',
  './weights.bin',
  'sub/../weights.bin',
  '../secret.bin',
  'sub/../../secret.bin',
  'link.bin',
  'linked/secret.bin',
  'sub',
  'pipe',
  '/etc/passwd',
  '/dev/zero',
  '\\\\host\\share',
  'C:\\x',
  'c:/x',
  'file:///etc/passwd',
  'https://example.invalid/x',
  '//example.invalid/x',
  'data:,x',
  'weights.bin\0',
  '\0own',
  'no such file',
  'WEIGHTS.BIN',
  'sub/more.bin',
  'sub//more.bin',
  '%2e%2e/secret.bin',
  '..%2fsecret.bin',
  '__proto__',
  'x'.repeat(5000),
  '~/x',
  'weights.bin/',
] as const;

const NUMBERS = [
  '',
  '-1',
  '-0',
  '0',
  '1',
  '3',
  '4',
  '16',
  '63',
  '64',
  '65',
  '4096',
  '1e3',
  '0x10',
  '1.5',
  ' 4',
  '4 ',
  '+4',
  'NaN',
  'Infinity',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775807',
  '18446744073709551616',
  '9'.repeat(400),
] as const;

const replaced = (entries: Entries, wanted: string, value: string): Entries => [
  ...entries.filter(([key]) => key !== wanted),
  [wanted, value],
];

/** Damage to where a tensor says its data are. */
export const EXTERNAL_DAMAGES: Readonly<Record<string, (entries: Entries, random: Random) => Entries>> = {
  'another location': (entries, random) => replaced(entries, 'location', random.pick(LOCATIONS)),
  'another offset': (entries, random) => replaced(entries, 'offset', random.pick(NUMBERS)),
  'another length': (entries, random) => replaced(entries, 'length', random.pick(NUMBERS)),
  'a checksum': (entries, random) =>
    replaced(entries, 'checksum', random.pick(['', 'x', '0'.repeat(40), random.pick(NUMBERS)])),
  'an unknown key': (entries, random) => [
    ...entries,
    [random.pick(['__proto__', '', 'Location', 'basepath']), random.pick(LOCATIONS)],
  ],
  'an entry left out': (entries, random) => entries.toSpliced(random.below(entries.length), 1),
  'an entry doubled': (entries, random) => [...entries, [random.pick(entries)?.[0] ?? '', random.pick(NUMBERS)]],
  'another place in another file': (_, random) => [
    ['location', random.pick(LOCATIONS)],
    ['offset', random.pick(NUMBERS)],
    ['length', random.pick(NUMBERS)],
  ],
  'no entries': () => [],
};

/** Applies a damage to one of the tensors that are elsewhere. */
export function damageExternal(
  model: Message,
  random: Random,
  damage: (entries: Entries, random: Random) => Entries,
): void {
  const isElsewhere = ({ type, fields }: Message) =>
    type === 'TensorProto' && fields.some((field) => field.id === id('externalData'));
  const tensor = random.pick(messagesIn(model).filter(isElsewhere));
  if (!tensor) return;
  const old = tensor.fields.filter((field) => field.id === id('externalData')).map(entryOf);
  tensor.fields = [
    ...tensor.fields.filter((field) => field.id !== id('externalData')),
    ...damage(old, random).map(fieldOf),
  ];
  if (random.chance(0.05)) tensor.fields.push(numberField(id('dataLocation'), random.below(3)));
}

type Field = Message['fields'][number];

const wordOf = (field: Field, wanted: number) => {
  const found = 'message' in field ? field.message.fields.find((inner) => inner.id === wanted) : undefined;
  return found ? textOf(found) : '';
};

const entryOf = (field: Field) => [wordOf(field, 1), wordOf(field, 2)] as const;

const fieldOf = ([key, value]: readonly [string, string]): Field => ({
  id: id('externalData'),
  wire: 2,
  message: { type: 'StringStringEntryProto', fields: [textField(1, key), textField(2, value)] },
});
