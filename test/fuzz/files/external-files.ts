import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ExternalFile } from '../../../src/loading/source.js';
import type { Given } from './hand-made.js';
import type { Random } from './random.js';
import { contentsOf, idOf, type Message, messagesIn, numberField, parse, textField } from './wire.js';

/** What stands in the file outside: no model's result may have it. */
export const SECRET = 12345.678;

const WEIGHTS = Float32Array.from({ length: 64 }, (_, i) => i / 8);

/** A folder of external files, with ways out of it, and a secret beside it. */
export interface Folder {
  readonly path: string;
  remove(): void;
}

export function externalFolder(): Folder {
  const around = mkdtempSync(join(tmpdir(), 'sardonyx-fuzz-'));
  const path = join(around, 'model');
  mkdirSync(join(path, 'sub'), { recursive: true });
  writeFileSync(join(around, 'secret.bin'), new Uint8Array(new Float32Array(64).fill(SECRET).buffer));
  writeFileSync(join(path, 'weights.bin'), new Uint8Array(WEIGHTS.buffer));
  writeFileSync(join(path, 'sub/more.bin'), new Uint8Array(WEIGHTS.buffer));
  symlinkSync('../secret.bin', join(path, 'link.bin'));
  symlinkSync('..', join(path, 'linked'));
  // A pipe that nobody writes into: whoever opens it waits.
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(path, 'pipe')]);
  return { path, remove: () => rmSync(around, { recursive: true, force: true }) };
}

/** Three tensors in two files, one of them an attribute. */
export function externalModel(): Given {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 4]);
  const w = b.constant('w', tensor('float32', [4, 4], WEIGHTS.slice(0, 16)));
  const v = b.constant('v', tensor('float32', [4], WEIGHTS.slice(16, 20)));
  const shape = b.constant('shape', tensor('int64', [2], [-1, 2]));
  const u = b.op('Constant', [], { value: tensor('float32', [4], WEIGHTS.slice(20, 24)) });
  const sum = b.op('Add', [b.op('Add', [b.op('MatMul', [x, w]), v]), u]);
  b.output('y', sum);
  b.output('z', b.op('Reshape', [sum, shape]));
  b.output('v_out', b.op('Identity', [v]));
  const model = parse(b.toBytes()) as Message;
  const tensors = messagesIn(model).filter(({ type }) => type === 'TensorProto');
  for (const [i, proto] of tensors.filter(({ fields }) => !fields.some(isInt64)).entries()) moveOut(proto, i);
  return { bytes: contentsOf(model), feeds: { x: tensor('float32', [1, 4], [1, 2, 3, 4]) } };
}

const isInt64 = (field: Message['fields'][number]) =>
  field.id === idOf('TensorProto', 'dataType') && field.wire === 0 && field.value === 7n;

const ENTRIES = [
  { location: 'weights.bin', offset: '0', length: '64' },
  { location: 'sub/more.bin', offset: '64', length: '16' },
  { location: 'weights.bin', offset: '80' },
] as const;

function moveOut(tensor: Message, i: number): void {
  const id = (name: string) => idOf('TensorProto', name);
  const kept = tensor.fields.filter((field) => ['dims', 'dataType', 'name'].map(id).includes(field.id));
  const entries = Object.entries(ENTRIES[i % ENTRIES.length] as (typeof ENTRIES)[number]).map(([key, value]) => ({
    id: id('externalData'),
    wire: 2 as const,
    message: { type: 'StringStringEntryProto', fields: [textField(1, key), textField(2, value)] },
  }));
  tensor.fields = [...kept, ...entries, numberField(id('dataLocation'), 1)];
}

const bytes = () => new Uint8Array(WEIGHTS.slice().buffer);

function detached(): Uint8Array {
  const array = bytes();
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}

const whole = (): ExternalFile[] => [
  { path: 'weights.bin', data: bytes() },
  { path: 'sub/more.bin', data: bytes() },
];

/** What may be given as the option `externalData`, some of it nonsense. */
const GIVEN: readonly (() => unknown)[] = [
  whole,
  whole,
  whole,
  whole,
  () => whole().slice(1),
  () => [...whole(), ...whole()],
  () => whole().map(({ path, data }) => ({ path: `./${path}`, data })),
  () => whole().map(({ path }) => ({ path, data: bytes().subarray(0, 70) })),
  () => whole().map(({ path }) => ({ path, data: bytes().subarray(1) })),
  () => whole().map(({ path }) => ({ path, data: new Uint8Array() })),
  () => whole().map(({ path }) => ({ path, data: detached() })),
  () => whole().map(({ path }) => ({ path, data: new Blob([bytes()]) })),
  () => whole().map(({ path }) => ({ path, data: new Blob([bytes()]).stream() })),
  () => whole().map(({ path }) => ({ path, data: new Response(bytes()) })),
  () => whole().map(({ path }) => ({ path, data: 'no/such/file' })),
  () => whole().map(({ path }) => ({ path, data: null })),
  () => whole().map(({ data }) => ({ path: 7, data })),
  () => [null],
  () => ({ 'weights.bin': bytes() }),
  () => 'weights.bin',
  () => 7,
  () =>
    new Proxy(whole(), {
      get: () => {
        throw new Error('a trap');
      },
    }),
];

export const givenFiles = (random: Random) => random.pick(GIVEN)();

/** Whether a result has what stands outside of the model's folder. */
export const tellsSecret = (results: Readonly<Record<string, unknown>>): boolean =>
  Object.values(results).some((value) => {
    const data = (value as { data?: unknown } | null)?.data;
    return data instanceof Float32Array && data.includes(Math.fround(SECRET));
  });
