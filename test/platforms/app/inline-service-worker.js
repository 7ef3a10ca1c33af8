import * as api from '/node_modules/sardonyx/dist/inline.js';
import { answer } from './answer.js';

answer(api);
