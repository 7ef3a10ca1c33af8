import * as api from '/node_modules/sardonyx/dist/index.js';
import { answer } from './answer.js';

answer(api);
