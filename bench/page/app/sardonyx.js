import * as api from 'sardonyx';
import { firstResult } from './first-result.js';

globalThis.outcome = firstResult(api);
