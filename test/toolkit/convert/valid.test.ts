import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toNumber } from '../../../src/model/int64.js';
import { ConversionError, convertVersion } from '../../../src/tools/convert/index.js';
import { checkModel, loadModel, type Model } from '../../../src/tools/index.js';
import { domainOf, NEWEST } from '../../../src/tools/schemas/domains.js';
import { sinceOf } from '../../../src/tools/schemas/schemas.js';
import { sampleByTier } from '../../tier.js';
import { backendModels } from '../check/models.js';

const test = suite('every operator, from every version to every other');

const NEWEST_OPSET = NEWEST.get('') as number;

const errorsOf = async (model: Model): Promise<string[]> =>
  (await checkModel(model, { full: true })).flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));

async function converted(model: Model, opset: number): Promise<Model | undefined> {
  try {
    return await convertVersion(model, opset);
  } catch (thrown) {
    if (thrown instanceof ConversionError) return undefined;
    throw thrown;
  }
}

const opsetOf = ({ proto }: Model): number =>
  toNumber(proto.opsetImport.find(({ domain }) => domainOf(domain) === '')?.version ?? 0);

/** The opsets on both sides of what changes in a model's operators. */
function opsetsAround({ proto }: Model): number[] {
  const boundaries = (proto.graph?.node ?? []).flatMap(({ domain, opType }) =>
    domainOf(domain) === '' ? sinceOf('', opType) : [],
  );
  const around = boundaries.flatMap((since) => [since - 1, since]);
  return [...new Set([...around, NEWEST_OPSET])].filter((opset) => opset > 0);
}

const paths = backendModels();
if (paths) {
  const chosen = sampleByTier(paths, { quick: 4, ci: 16, all: paths.length }, (path) => basename(dirname(path)));
  test(`is valid there, or refused by name (${chosen.length} models)`, async () => {
    const wrong: string[] = [];
    for (const path of chosen) {
      const model = await loadModel(readFileSync(path));
      if (opsetOf(model) === 0 || (await errorsOf(model)).length > 0) continue;
      const opsets = opsetsAround(model);
      for (const from of [...opsets.filter((opset) => opset < opsetOf(model)), opsetOf(model)]) {
        const written = await converted(model, from);
        if (!written) continue;
        for (const to of opsets) {
          const made = to === from ? written : await converted(written, to);
          const [error] = made ? await errorsOf(made) : [];
          if (error) wrong.push(`${basename(dirname(path))}, opset ${from} to ${to}: ${error}`);
        }
      }
    }
    assert.equal(wrong, []);
  });
}

test.run();
