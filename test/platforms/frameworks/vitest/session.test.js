import { pathToFileURL } from 'node:url';
import * as api from 'sardonyx';
import * as builder from 'sardonyx/builder';
import * as pool from 'sardonyx/pool';
import * as worker from 'sardonyx/worker';
import { expect, test } from 'vitest';
import cases from './session-cases.cjs';

// In jsdom a path would be an address of the simulated page.
cases.sessionCases({ test, expect, api, builder, pool, worker, model: pathToFileURL('public/model.onnx') });
