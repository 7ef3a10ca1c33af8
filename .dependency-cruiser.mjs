// Who imports whom, types included: docs/architecture.md says what the folders hold.

/** The floors of src/, each importing only from those before it. */
const FLOORS = [
  'base',
  'tensor',
  'graph',
  'advice',
  'limits',
  'schema',
  'analysis',
  'model',
  'loading',
  'image',
  'cache',
  'primitives',
  'ops',
  'backends',
  'groups',
  'optimize',
  'execute',
  'session',
  'remote',
  'tools',
  '(builder|tensors|log|onnxruntime)',
  'cli',
];

/** A tensor loads what makes it of a picture, and a picture of it. */
const PICTURES = '^src/image/(from-image|image-data-of|common-options|source|tensor-form)\\.ts$';

const floors = FLOORS.slice(0, -1).map((floor, i) => ({
  name: `${floor}-below-what-uses-it`,
  severity: 'error',
  from: { path: `^src/${floor}/` },
  to: { path: `^src/(${FLOORS.slice(i + 1).join('|')})/`, ...(floor === 'tensor' && { pathNot: PICTURES }) },
}));

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...floors,
    {
      name: 'threads-above-execution',
      comment: 'Only backends and sessions start threads and workers.',
      severity: 'error',
      from: { path: `^src/(${FLOORS.slice(0, FLOORS.indexOf('backends')).join('|')})/` },
      to: { path: '^workers/' },
    },
    {
      name: 'workers-below-remote',
      comment:
        'workers/ is what runs in a worker, how one is started, and how values and errors pass; what stands for a worker on the calling thread is in src/remote. Of sessions only the scripts of their workers know.',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/session-(worker|states|caller)\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(base|tensor)/' },
    },
    {
      name: 'session-worker-below-remote',
      severity: 'error',
      from: { path: '^workers/session-(worker|states|caller)\\.ts$' },
      to: { path: `^src/(${FLOORS.slice(FLOORS.indexOf('remote')).join('|')})/` },
    },
    {
      name: 'worker-scripts-are-started',
      comment: 'What runs in workers is started, not imported; others know its types alone.',
      severity: 'error',
      from: { path: '^(src|bindings|workers)/' },
      to: { path: '^workers/(session|kernel)-worker\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'own-end-in-workers-alone',
      severity: 'error',
      from: { path: '^(src|bindings|workers)/', pathNot: '^workers/(session|kernel)-worker\\.ts$' },
      to: { path: '^workers/own-endpoint\\.ts$' },
    },
    {
      name: 'operators-mean',
      comment: 'An operator says what it means; src/backends runs it.',
      severity: 'error',
      from: { path: '^src/(ops|primitives)/' },
      to: { path: '^(bindings/|build/kernels\\.ts$)' },
    },
    {
      name: 'kernels-behind-the-backend',
      comment:
        'Parameter blocks of kernels are filled by the backend that has the kernels, and written by the planner.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/backends/wasm/' },
      to: { path: '^(build/kernels\\.ts|bindings/(parameters|place|elementwise|strided-copy|space)\\.ts)$' },
    },
    {
      name: 'engines-run-plans',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/backends/wasm/' },
      to: { path: '^bindings/(engine|instance|regions)\\.ts$' },
    },
    {
      name: 'backends-apart',
      comment: 'A backend knows the interface, and no other backend.',
      severity: 'error',
      from: { path: '^src/backends/([^/]+)/' },
      to: { path: '^src/backends/[^/]+/', pathNot: '^src/backends/$1/' },
    },
    {
      name: 'operators-by-their-registry',
      comment:
        'Single operators are known to their groups alone; what runs them knows primitives. Derivatives ask for their spellings.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/(ops|groups)/' },
      to: { path: '^src/ops/[^/]+/', pathNot: '^src/ops/training/(gradient\\.ts$|gradients/)' },
    },
    {
      name: 'bindings-know-kernels-alone',
      severity: 'error',
      from: { path: '^bindings/' },
      to: { path: '^(src|workers)/', pathNot: '^src/(base/kind|graph/(sizes|guards))\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
  },
};
