import { readFile } from 'node:fs/promises';
import { outcomes } from '../../outcomes.js';

export const prerender = false;

const read = async (name) => JSON.parse(await readFile(`public/${name}`, 'utf8'));

export const GET = async () => Response.json(await outcomes(read, (name) => `public/${name}`, 2));
