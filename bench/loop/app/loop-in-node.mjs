import * as api from 'sardonyx';
import { loop } from './loop.js';

const [model, threads, withTurns] = process.argv.slice(2);
const turn = () => new Promise(setImmediate);
console.log(JSON.stringify(await loop(api, model, Number(threads), withTurns === 'true' && turn)));
