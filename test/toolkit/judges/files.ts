import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rangesIn } from '../../../src/model/files.js';
import { checkedLocation } from '../../../src/tools/external-data.js';
import type { Judge } from './judge-of.js';

/** Opening files beside a model, to read or to write them: external_data_test.py, model_container_test.py. */
export const FILES: Judge = {
  open_external_data: ({ base_dir, location }) => {
    const path = checkedLocation(location as string);
    if (existsSync(join(base_dir as string, path))) rangesIn(base_dir as string, path);
    return true;
  },
};
