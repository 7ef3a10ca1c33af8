// Who imports whom in the studio, types included: README.md says what the folders hold.

/** The floors of src/, each importing only from those before it. */
const FLOORS = [
  'ui/',
  'graph/',
  'workers/contracts/',
  'layout/',
  'canvas/',
  'workers/(?!contracts/)',
  'store/',
  'features/',
  '(app/|main\\.tsx$)',
];

/** Features that others are made of. */
const SHARED = ['overlay', 'session', 'tensors', 'details', 'graph'];

/** What the package does not export, and what would bring all of `sardonyx/model` into the page. */
const INSIDE = '^src/(cli/json|tools/verify/within|log/checksum|tensor/half|model/document/left-bytes)\\.ts$';

const floors = FLOORS.slice(0, -1).map((floor, i) => ({
  name: `${floor.replaceAll(/\W+$|\(.*/g, '')}-below-what-uses-it`,
  severity: 'error',
  from: { path: `^studio/src/${floor}` },
  to: { path: `^studio/src/(${FLOORS.slice(i + 1).join('|')})` },
}));

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: { path: '^studio/' }, to: { circular: true } },
    ...floors,
    {
      name: 'workers-by-their-contracts',
      comment: 'Workers are started; the page knows what they answer, not how.',
      severity: 'error',
      from: { path: '^studio/src/(store|features|app)/' },
      to: { path: '^studio/src/workers/', pathNot: '^studio/src/workers/contracts/' },
    },
    {
      name: 'the-store-writes',
      comment: 'Panels read signals, and change them by the actions of the store.',
      severity: 'error',
      from: { path: '^studio/src/', pathNot: '^studio/src/store/' },
      to: { path: '^studio/src/store/state\\.ts$' },
    },
    {
      name: 'features-apart',
      comment: 'A panel knows no other panel.',
      severity: 'error',
      from: { path: '^studio/src/features/([^/]+)/' },
      to: { path: '^studio/src/features/', pathNot: `^studio/src/features/($1|${SHARED.join('|')})/` },
    },
    {
      name: 'shared-features-apart',
      severity: 'error',
      from: { path: `^studio/src/features/(overlay|session|tensors)/` },
      to: { path: '^studio/src/features/', pathNot: '^studio/src/features/$1/' },
    },
    {
      name: 'public-entries-alone',
      comment:
        "The package is imported by its entries. The documents' worker edits models with the toolkit's own parts, and loads them without the rest of it: README.md has the figures. A sample is written as protobuf, with names of nodes.",
      severity: 'error',
      from: { path: '^studio/src/', pathNot: '^studio/src/(workers/documents|app/samples)/' },
      to: { path: '^(src|bindings|workers|build)/', pathNot: INSIDE },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^(src|bindings|workers|build)/'] },
    tsPreCompilationDeps: true,
  },
};
