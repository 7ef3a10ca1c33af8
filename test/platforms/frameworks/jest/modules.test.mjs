import * as api from 'sardonyx';
import * as builder from 'sardonyx/builder';
import * as pool from 'sardonyx/pool';
import * as worker from 'sardonyx/worker';
import cases from './session-cases.cjs';

cases.sessionCases({ test, expect, api, builder, pool, worker, model: 'public/model.onnx' });
