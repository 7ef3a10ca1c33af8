import type { Value } from '../../../graph/graph.js';
import { ceilDivide, formatSize, multiply } from '../../../graph/sizes.js';
import { toChannelsFirst, toChannelsLast } from '../../../primitives/channels-last.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';
import { permutation } from '../../channels-last.js';
import { emitOne, listOf } from '../../emit.js';
import { blockAttribute, findBlockSize, NCHWC } from './block-size.js';

const RANK = 4;

const upTo = (block: number) => (channels: number) => Math.ceil(channels / block) * block;

/** Pads the channels to whole blocks. */
export const reorderInput = defineOp({
  domain: NCHWC,
  name: 'ReorderInput',
  signature: 'X: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { channels_last: int(0), ...blockAttribute },
  prepare: findBlockSize,
  infer(c) {
    const given = dimsOfRank(c, 0, RANK);
    const { channels_last, block_size } = c.attributes;
    const dims = given && (channels_last ? toChannelsFirst(RANK) : [0, 1, 2, 3]).map((axis) => given[axis] ?? 0);
    const padded = dims && multiply(ceilDivide(dims[1] ?? 0, block_size), block_size);
    return [like(c, 0, dims?.with(1, padded ?? 0))];
  },
  decompose(c) {
    const { channels_last, block_size } = c.attributes;
    const channels = c.dims(0)?.[channels_last ? RANK - 1 : 1];
    if (typeof channels !== 'number') return undefined;
    const x = channels_last ? emitOne(c, 'Transpose', [c.input(0)], permutation(toChannelsFirst(RANK))) : c.input(0);
    const missing = upTo(block_size)(channels) - channels;
    return missing === 0 ? c.emit('Identity', [x]) : c.emit('Pad', [x, listOf(c, [0, 0, 0, 0, 0, missing, 0, 0])]);
  },
});

/** Removes the padding of the channels. */
export const reorderOutput = defineOp({
  domain: NCHWC,
  name: 'ReorderOutput',
  signature: 'X: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { channels: int.required, channels_last: int(0) },
  infer(c) {
    const dims = dimsOfRank(c, 0, RANK);
    const { channels, channels_last } = c.attributes;
    const has = dims?.[1];
    if (channels < 1 || (typeof has === 'number' && has < channels))
      c.fail('INVALID_ATTRIBUTE', `channels must be from 1 to ${formatSize(has)}, not ${channels}`);
    const kept = dims?.with(1, channels);
    return [like(c, 0, kept && (channels_last ? toChannelsLast(RANK) : [0, 1, 2, 3]).map((axis) => kept[axis] ?? 0))];
  },
  decompose(c) {
    const { channels, channels_last } = c.attributes;
    const has = c.dims(0)?.[1];
    if (has === undefined) return undefined;
    const [y] = (
      has === channels
        ? c.emit('Identity', [c.input(0)])
        : c.emit('Slice', [c.input(0), listOf(c, [0]), listOf(c, [channels]), listOf(c, [1])])
    ) as [Value];
    return channels_last ? c.emit('Transpose', [y], permutation(toChannelsLast(RANK))) : [y];
  },
});
