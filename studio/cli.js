#!/usr/bin/env node
// usage: sardonyx-studio [MODEL] [--port N]
import { parseArgs } from 'node:util';
import { serveStudio } from './server.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } });
const { address } = await serveStudio({ model: positionals[0], ...(values.port && { port: Number(values.port) }) });
console.log(`The studio is at ${address}`);
