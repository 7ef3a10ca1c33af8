import * as sardonyx from 'sardonyx';
import * as tools from 'sardonyx/model';
import { outcome } from './conformance.js';

console.log(JSON.stringify(await outcome(tools, sardonyx, process.argv[2])));
