import * as sardonyx from '/node_modules/sardonyx/dist/index.js';
import * as tools from '/node_modules/sardonyx/dist/model.js';
import { outcome } from './conformance.js';

const found = async () => outcome(tools, sardonyx, await (await fetch('suite.zip')).blob());
globalThis.outcome = found();
