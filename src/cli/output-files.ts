import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { SardonyxError } from '../base/errors.js';
import type { ValueType } from '../graph/types.js';
import { writeValue } from '../model/write-values.js';
import { hasNpyType, writeNpy } from '../tensor/npy.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { jsonValue } from './describe-value.js';
import { type Io, STANDARD } from './io.js';
import { jsonText } from './json.js';
import { splitByName } from './option-values.js';
import { concerning, UsageError } from './usage-error.js';
import { write } from './write-file.js';

/** A value that a run gave, and what the model says of it. */
export interface NamedValue {
  readonly name: string;
  readonly value: HostValue;
  readonly type: ValueType | undefined;
  /** What it is besides an output: a value asked for. */
  readonly isCaptured: boolean;
}

/** Where an `--output` puts what it names: one value into a file or standard output, or all of them into a file or folder. */
export type Destination = { readonly option: string } & (
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'stdout'; readonly name: string }
  | { readonly kind: 'json'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
);

type Encoder = (value: NamedValue) => Uint8Array | string;

const ENCODERS: Record<string, Encoder> = {
  '.npy': npy,
  '.pb': ({ name, value, type }) => writeValue(value, name, type),
  '.json': ({ value }) => jsonFile(jsonValue(value)),
};

export const jsonFile = (value: unknown): string => `${[...jsonText(value)].join('')}\n`;

function npy({ name, value }: NamedValue): Uint8Array {
  if (!isTensorValue(value))
    throw new SardonyxError(
      'INVALID_TYPE',
      `only tensors can be written as .npy, and "${name}" is none; write a .pb file`,
    );
  return writeNpy(value);
}

/** What `NAME=FILE`, `FILE` or `FOLDER` says, where these are the names of all values. */
export function destinationOf(text: string, names: readonly string[]): Destination {
  const option = `--output ${text}`;
  return concerning(option, (): Destination => {
    const { name, rest: path } = splitByName(text, names);
    const [, unknown] = name === undefined ? (/^([^=/\\]+)=/.exec(path) ?? []) : [];
    if (unknown !== undefined)
      throw new UsageError(`the model has no output "${unknown}"; its outputs are ${names.join(', ')}`);
    const isFile = formatOf(path) in ENCODERS || path === STANDARD;
    if (name === undefined && formatOf(path) === '.json') return { option, kind: 'json', path };
    if (name === undefined && !isFile && isFolder(path)) return { option, kind: 'folder', path };
    if (!isFile)
      throw new UsageError('outputs are written as .npy, .pb or .json files, to - as .npy, or all into a folder');
    if (name === undefined && names.length !== 1)
      throw new UsageError(`say which output, as NAME=FILE: ${names.join(', ')}`);
    const only = name ?? (names[0] as string);
    return path === STANDARD ? { option, kind: 'stdout', name: only } : { option, kind: 'file', name: only, path };
  });
}

const formatOf = (path: string): string => extname(path).toLowerCase();

const isFolder = (path: string): boolean =>
  formatOf(path) === '' || /[/\\]$/.test(path) || !!statSync(path, { throwIfNoEntry: false })?.isDirectory();

/** Writes values to where they are to go; standard output gets .npy. */
export function deliver(io: Io, destination: Destination, values: readonly NamedValue[]): void {
  concerning(destination.option, () => {
    switch (destination.kind) {
      case 'file':
        return writeValueFile(destination.path, find(values, destination.name));
      case 'stdout':
        io.host.stdout.write(npy(find(values, destination.name)));
        return;
      case 'json':
        return write(destination.path, jsonFile(new Map(values.map(({ name, value }) => [name, jsonValue(value)]))));
      case 'folder':
        return writeFolder(destination.path, values);
    }
  });
}

const writeValueFile = (path: string, value: NamedValue): void =>
  write(path, (ENCODERS[formatOf(path)] as Encoder)(value));

const find = (values: readonly NamedValue[], name: string) => values.find((value) => value.name === name) as NamedValue;

/** A file for each value, .npy where NumPy has its type, and `values.json`, which says which is which. */
function writeFolder(folder: string, values: readonly NamedValue[]): void {
  const taken = new Set<string>();
  const files = values.map((named) => {
    const { name, value, isCaptured } = named;
    const format = isTensorValue(value) && hasNpyType(value.type) ? '.npy' : '.pb';
    const file = fileName(name, format, taken);
    writeValueFile(join(folder, file), named);
    const { type, dims } = isTensorValue(value) ? value : { type: undefined, dims: undefined };
    return { name, file, type, dims, captured: isCaptured || undefined };
  });
  write(join(folder, 'values.json'), jsonFile({ values: files }));
}

/** Names of values may have slashes, colons and anything else in them; letters of one case may mean one file. */
function fileName(name: string, format: string, taken: Set<string>): string {
  const stem =
    name
      .replace(/[^\w.-]+/g, '_')
      .replace(/^[_.]+/, '')
      .slice(0, 150) || 'value';
  let file = stem + format;
  for (let n = 2; taken.has(file.toLowerCase()); n++) file = `${stem}_${n}${format}`;
  taken.add(file.toLowerCase());
  return file;
}
