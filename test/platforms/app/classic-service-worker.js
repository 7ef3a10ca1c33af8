import * as api from 'sardonyx';
import { answer } from './answer.js';

api.env.wasm.wasmPaths = '/node_modules/sardonyx/build/';
answer(api);
