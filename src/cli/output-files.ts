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
import { formatBytes, plural } from './quantities.js';
import { concerning, UsageError } from './usage-error.js';
import { makeFolder, type Reporter, requireFilePath, requireFolderOf, write } from './write-file.js';

/** A value that a run returned, with its type in the model. */
export interface NamedValue {
  readonly name: string;
  readonly value: HostValue;
  readonly type: ValueType | undefined;
  /** Whether it is an intermediate value that `--capture` named. */
  readonly isCaptured: boolean;
}

/** The target of an `--output`: one value in a file or on standard output, or all values in a file or folder. */
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
      `"${name}" is not a tensor, and .npy files hold only tensors; write a .pb file`,
    );
  return writeNpy(value);
}

/** Parses `NAME=FILE`, `FILE` or `FOLDER`, given the names of all outputs. */
export function destinationOf(text: string, names: readonly string[]): Destination {
  const option = `--output ${text}`;
  return concerning(option, (): Destination => {
    const { name, rest: path } = splitByName(text, names);
    const [, unknown] = name === undefined ? (/^([^=/\\]+)=/.exec(path) ?? []) : [];
    if (unknown !== undefined)
      throw new UsageError(`the model has no output "${unknown}"; its outputs are ${names.join(', ')}`);
    const isFile = formatOf(path) in ENCODERS || path === STANDARD;
    if (name === undefined && !isFile && isFolder(path)) {
      requireFolderOf(path);
      return { option, kind: 'folder', path };
    }
    if (!isFile)
      throw new UsageError(
        'pass a .npy, .pb or .json file, - for .npy on standard output, or a folder for all outputs',
      );
    if (path !== STANDARD) requireFilePath(path);
    if (name === undefined && formatOf(path) === '.json') return { option, kind: 'json', path };
    if (name === undefined && names.length !== 1)
      throw new UsageError(`name the output, as in NAME=FILE: ${names.join(', ')}`);
    const only = name ?? (names[0] as string);
    return path === STANDARD ? { option, kind: 'stdout', name: only } : { option, kind: 'file', name: only, path };
  });
}

const formatOf = (path: string): string => extname(path).toLowerCase();

const isFolder = (path: string): boolean =>
  formatOf(path) === '' || /[/\\]$/.test(path) || !!statSync(path, { throwIfNoEntry: false })?.isDirectory();

/** Writes values to their destination; standard output gets .npy. */
export function deliver(io: Io, destination: Destination, values: readonly NamedValue[]): void {
  concerning(destination.option, () => {
    switch (destination.kind) {
      case 'file':
        return writeValueFile(io, destination.path, find(values, destination.name));
      case 'stdout':
        io.host.stdout.write(npy(find(values, destination.name)));
        return;
      case 'json':
        return write(
          io,
          destination.path,
          jsonFile(new Map(values.map(({ name, value }) => [name, jsonValue(value)]))),
        );
      case 'folder':
        return writeFolder(io, destination.path, values);
    }
  });
}

const writeValueFile = (io: Reporter, path: string, value: NamedValue): void =>
  write(io, path, (ENCODERS[formatOf(path)] as Encoder)(value));

const find = (values: readonly NamedValue[], name: string) => values.find((value) => value.name === name) as NamedValue;

/** Writes a file for each value, as .npy if NumPy has its type, and `values.json`, which lists them. */
function writeFolder(io: Io, folder: string, values: readonly NamedValue[]): void {
  makeFolder(folder);
  let bytes = 0;
  const counting: Reporter = {
    wrote(_path, size) {
      bytes += size;
    },
  };
  const taken = new Set<string>();
  const files = values.map((named) => {
    const { name, value, isCaptured } = named;
    const format = isTensorValue(value) && hasNpyType(value.type) ? '.npy' : '.pb';
    const file = fileName(name, format, taken);
    writeValueFile(counting, join(folder, file), named);
    const { type, dims } = isTensorValue(value) ? value : { type: undefined, dims: undefined };
    return { name, file, type, dims, captured: isCaptured || undefined };
  });
  write(counting, join(folder, 'values.json'), jsonFile({ values: files }));
  io.note(`wrote ${plural(files.length + 1, 'file')} to ${folder} (${formatBytes(bytes)})`);
}

/** Names of values may contain slashes, colons and anything else; some file systems ignore case. */
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
