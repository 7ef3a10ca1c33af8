// node batch-folder.js MODEL FOLDER [NORMALIZATION]
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { imageTensor } from 'sardonyx/image';
import { createPool } from 'sardonyx/pool';
import { argmax } from 'sardonyx/tensors';

const [model, folder, normalize = 'imagenet'] = process.argv.slice(2);
if (!folder) throw new Error('usage: node batch-folder.js MODEL FOLDER [NORMALIZATION]');

const files = (await readdir(folder)).filter((file) => /\.(jpe?g|png|webp)$/i.test(file)).sort();
const pool = await createPool(model);
/** Files that the pool is working on, in the order of the results. @type {string[]} */
const pending = [];

/** Decodes each image when a worker is ready for it, so that only a few are in memory. */
async function* images() {
  const options = { for: pool, normalize: /** @type {'imagenet'} */ (normalize) };
  for (const file of files) {
    try {
      const image = await imageTensor(join(folder, file), options);
      pending.push(file);
      yield { [pool.inputNames[0]]: image };
    } catch (error) {
      console.error(`${file}: ${/** @type {Error} */ (error).message}`);
      process.exitCode = 1;
    }
  }
}

try {
  for await (const results of pool.runAll(images())) {
    const { data } = argmax(results[pool.outputNames[0]]);
    console.log(`${pending.shift()}: ${data[0]}`);
  }
} finally {
  await pool.release();
}
