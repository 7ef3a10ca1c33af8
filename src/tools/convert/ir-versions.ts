import type { ModelProto } from '../../../build/onnx.js';
import { toNumber } from '../../model/int64.js';
import { domainOf } from '../schemas/domains.js';

type Releases = readonly (readonly [opset: number, ir: number])[];

/**
 * Each opset that was released with a new IR version, newest first.
 * https://github.com/onnx/onnx/blob/main/docs/Versioning.md
 */
const RELEASES: Readonly<Record<string, Releases>> = {
  '': [
    [25, 13],
    [24, 12],
    [23, 11],
    [21, 10],
    [19, 9],
    [15, 8],
    [12, 7],
    [11, 6],
    [10, 5],
    [9, 4],
  ],
  'ai.onnx.ml': [
    [5, 10],
    [4, 9],
    [3, 8],
    [2, 5],
  ],
};

/** The first IR version with opset imports. */
const IMPORTING = 3;

/** The lowest IR version whose releases include these opsets. */
export const irVersionOf = ({ opsetImport }: Pick<ModelProto, 'opsetImport'>): number =>
  opsetImport.reduce((least, { domain, version }) => {
    const found = RELEASES[domainOf(domain)]?.find(([since]) => since <= toNumber(version));
    return Math.max(least, found?.[1] ?? IMPORTING);
  }, IMPORTING);
