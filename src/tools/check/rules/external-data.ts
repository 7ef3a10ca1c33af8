import type { TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { OWN_FILE } from '../../../model/skeleton.js';
import { at, type Context, error, type Rule, warning } from '../context.js';
import { isExternal, lengthOf } from './extent.js';
import { uniqueKeys } from './metadata.js';

/** https://onnx.ai/onnx/repo-docs/ExternalData.html */
const KEYS: ReadonlySet<string> = new Set(['location', 'offset', 'length', 'checksum', 'basepath']);

/** The external data entries of a tensor. */
interface Entries {
  readonly location: string | undefined;
  readonly offset: string | undefined;
  readonly length: string | undefined;
}

export const EXTERNAL_DATA_RULES: readonly Rule<TensorProto>[] = [
  ({ externalData }, c) => uniqueKeys(externalData, 'external_data', c),
  knownPlace,
  ifExternal(knownKeys),
  ifExternal(location),
  ifExternal(byteCounts),
  ifExternal(found),
];

type ExternalRule = (tensor: TensorProto, entries: Entries, c: Context) => void;

function ifExternal(rule: ExternalRule): Rule<TensorProto> {
  return (tensor, c) => {
    if (!isExternal(tensor)) return;
    const entries = new Map(tensor.externalData.map(({ key, value }) => [key, value]));
    const [location, offset, length] = ['location', 'offset', 'length'].map((key) => entries.get(key));
    rule(tensor, { location, offset, length }, at(c, 'external_data'));
  };
}

const say = ({ name }: TensorProto, c: Context, message: string, hint?: string): void =>
  error(c, 'EXTERNAL_DATA', message, { value: name, ...(hint && { hint }) });

function knownPlace(tensor: TensorProto, c: Context): void {
  const { dataLocation } = tensor;
  if (dataLocation !== 0 && dataLocation !== 1)
    say(tensor, at(c, 'data_location'), `${dataLocation} is not a data location; expected 0 (DEFAULT) or 1 (EXTERNAL)`);
}

function knownKeys({ externalData, name }: TensorProto, _: Entries, c: Context): void {
  for (const { key } of externalData)
    if (!KEYS.has(key)) warning(c, 'EXTERNAL_DATA', `unknown external data key "${key}"`, { value: name });
}

function location(tensor: TensorProto, { location }: Entries, c: Context): void {
  if (!location) say(tensor, c, 'the external data has no location');
  else if (isOutside(location))
    say(tensor, c, `the location "${location}" is outside the folder of the model`, 'use a relative path');
}

/** Whether a path leads out of the model's folder. `OWN_FILE` marks data within the model's own file. */
const isOutside = (location: string): boolean =>
  location !== OWN_FILE &&
  (/^([/\\]|[a-z]:)/i.test(location) || location.split(/[/\\]/).includes('..') || location.includes('\0'));

const bytesIn = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

function byteCounts(tensor: TensorProto, { offset, length }: Entries, c: Context): void {
  for (const [key, text] of Object.entries({ offset, length }))
    if (text !== undefined && bytesIn(text) === undefined)
      say(tensor, c, `the ${key} "${text}" is not a number of bytes`);
  const takes = lengthOf(tensor);
  const stated = length === undefined ? takes : bytesIn(length);
  if (takes !== undefined && stated !== undefined && stated !== takes)
    say(tensor, c, `the external data has ${stated} bytes; the type and shape need ${takes}`);
}

/** Checks that the file has the bytes, if a function to find external data is given. */
function found(tensor: TensorProto, { location, offset = '0', length }: Entries, c: Context): void {
  const [begin, takes] = [bytesIn(offset), lengthOf(tensor)];
  if (!location || isOutside(location) || begin === undefined || takes === undefined) return;
  if (length !== undefined && bytesIn(length) !== takes) return;
  try {
    c.externalData?.(location, begin, takes);
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    say(tensor, c, thrown.complaint);
  }
}
