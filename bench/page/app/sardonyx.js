import * as api from '/node_modules/sardonyx/dist/index.js';
import { firstResult } from './first-result.js';

globalThis.outcome = firstResult(api);
