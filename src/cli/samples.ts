import { existsSync } from 'node:fs';
import type { Feeds } from '../session/feeds.js';
import type { Model } from '../tools/index.js';
import { type FileSet, zooSets } from './data-sets.js';
import { readValueFile } from './read-file.js';
import { UsageError } from './usage-error.js';

/** What a model is run on: the inputs of each data set of a folder, read when it is their turn. */
export function samplesIn(folder: string, { proto }: Model): AsyncIterable<Feeds> {
  if (!existsSync(folder)) throw new UsageError(`--data ${folder}: there is no such folder`);
  const sets = zooSets(folder);
  if (sets.length === 0) throw new UsageError(`--data ${folder}: it has no test_data_set_0 with input_0.pb …`);
  const constants = new Set(proto.graph?.initializer.map(({ name }) => name));
  const names = proto.graph?.input.map(({ name }) => name).filter((name) => !constants.has(name)) ?? [];
  return {
    async *[Symbol.asyncIterator]() {
      for (const set of sets) yield feedsOf(set, names);
    },
  };
}

function feedsOf({ name, inputs }: FileSet, names: readonly string[]): Feeds {
  const files = inputs === 'ramp' ? [] : inputs;
  if (files.length > names.length)
    throw new UsageError(`test_data_set_${name} has ${files.length} inputs, the model ${names.length}`);
  const given = names.flatMap((to, i) => (files[i] === undefined ? [] : [[to, readValueFile(files[i])] as const]));
  return Object.fromEntries(given);
}
