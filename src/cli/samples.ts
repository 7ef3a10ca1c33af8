import { existsSync } from 'node:fs';
import type { Feeds } from '../session/feeds.js';
import type { HostValue } from '../tensor/tensor-value.js';
import type { DataSet } from '../tools/conformance/layout.js';
import type { FolderFile } from '../tools/folder/folder.js';
import type { Model } from '../tools/index.js';
import { readValueFile } from '../tools/read-value-file.js';
import { zooSets } from './data-sets.js';
import { UsageError } from './usage-error.js';

/** The inputs of each data set in a folder, read one after another. */
export function samplesIn(folder: string, { proto }: Model): AsyncIterable<Feeds> {
  if (!existsSync(folder)) throw new UsageError(`--data ${folder}: the folder does not exist`);
  const constants = new Set(proto.graph?.initializer.map(({ name }) => name));
  const names = proto.graph?.input.map(({ name }) => name).filter((name) => !constants.has(name)) ?? [];
  return {
    async *[Symbol.asyncIterator]() {
      const sets = await zooSets(folder);
      if (sets.length === 0)
        throw new UsageError(`--data ${folder}: the folder has no test_data_set_0 with input_0.pb, …`);
      for (const set of sets) yield feedsOf(set, names);
    },
  };
}

async function feedsOf({ name, inputs }: DataSet<FolderFile>, names: readonly string[]): Promise<Feeds> {
  const files = inputs === 'ramp' ? [] : inputs;
  if (files.length > names.length)
    throw new UsageError(`test_data_set_${name} has ${files.length} inputs, but the model has ${names.length}`);
  const feeds: Record<string, HostValue> = Object.create(null);
  for (const [i, file] of files.entries()) if (file) feeds[names[i] as string] = await readValueFile(file);
  return feeds;
}
