import { suite } from 'uvu';
import { floats, ints, strings, tensor } from '../../../src/builder/index.js';
import { expectRejection } from '../../expect-error.js';
import { assertTensor, runNode } from './run-operator.js';

const test = suite('support vector machines');

const x = tensor('float32', [4, 2], [0.4, 0.3, 2.2, 1.9, 0, 2.5, 1, 1.5]);

// scikit-learn's SVC(kernel='rbf', gamma=.5, probability=True, decision_function_shape='ovo') fitted to ten points.
const svc = {
  kernel_type: 'RBF',
  kernel_params: floats([0.5, 0, 0]),
  vectors_per_class: ints([3, 4, 3]),
  support_vectors: floats([0, 0, 1, 0, 0, 1, 2, 2, 3, 2, 2, 3, 0.5, 2.5, 0, 3, 1, 4, -1, 3]),
  coefficients: floats([
    0.1496509462594986, 0.8127602338790894, 1, -0.1755385398864746, -0.592770516872406, -0.2105645388364792,
    -0.9835376143455505, -0.31328415870666504, -0.715434193611145, -0.7057977914810181, 0.18789353966712952,
    0.6930074691772461, 0.8536151647567749, 0, 0.617613673210144, 0.9938687682151794, 1, -1, -1, -0.6114824414253235,
  ]),
  rho: floats([-0.20682629942893982, -0.11758214235305786, 0.0026732387486845255]),
};
const probabilities = {
  prob_a: floats([-2.058258533477783, -2.1402175426483154, 0.41320088505744934]),
  prob_b: floats([-0.16866382956504822, 0.11554009467363358, -0.39920198917388916]),
};

test('a classifier of three classes decides between pairs as scikit-learn does', async () => {
  const attributes = { ...svc, classlabels_ints: ints([0, 1, 2]) };
  const [label, scores] = await runNode({ op: 'SVMClassifier', attributes, outputs: 2 }, x);
  assertTensor(label, tensor('int64', [4], [0, 1, 2, 1]));
  const decisions = [
    1.1919552087783813, 1.203261375427246, 0.07232963293790817, -0.9861352443695068, -0.06463557481765747,
    1.0735893249511719, -0.7738329172134399, -0.6088663935661316, -0.39678582549095154, -0.11089993268251419,
    0.4771762490272522, 0.5396872162818909,
  ];
  assertTensor(scores, tensor('float32', [4, 3], decisions), 1e-5);
});

test('its probabilities are those of scikit-learn', async () => {
  const attributes = { ...svc, ...probabilities, classlabels_strings: strings(['a', 'b', 'c']) };
  const [label, scores] = await runNode({ op: 'SVMClassifier', attributes, outputs: 2 }, x);
  assertTensor(label, tensor('string', [4], ['a', 'b', 'c', 'b']));
  const expected = [
    0.8643772006034851, 0.06917393207550049, 0.06644885987043381, 0.15155093371868134, 0.46113547682762146,
    0.3873136043548584, 0.10843762010335922, 0.5595543384552002, 0.33200803399086, 0.4114931523799896,
    0.36469945311546326, 0.22380737960338593,
  ];
  assertTensor(scores, tensor('float32', [4, 3], expected), 1e-5);
});

test('a regressor with a polynomial kernel agrees with scikit-learn', async () => {
  // SVR(kernel='poly', gamma=.5, coef0=.25, degree=2)
  const attributes = {
    kernel_type: 'POLY',
    kernel_params: floats([0.5, 0.25, 2]),
    n_supports: 8,
    support_vectors: floats([0, 0, 1, 0, 0, 1, 2, 2, 2, 3, 0, 3, 1, 4, -1, 3]),
    coefficients: floats([
      0.4304523766040802, -0.3242090344429016, -1, 1, -0.6878884434700012, 1, -0.21190646290779114,
      -0.20644840598106384,
    ]),
    rho: floats([-0.09978615492582321]),
  };
  const expected = [-0.02361922711133957, 0.6598765254020691, 1.0692923069000244, 0.32488763332366943];
  const [scores] = await runNode({ op: 'SVMRegressor', attributes }, x);
  assertTensor(scores, tensor('float32', [4, 1], expected), 1e-5);
});

test('a one-class machine with a sigmoid kernel agrees with scikit-learn', async () => {
  // OneClassSVM(kernel='sigmoid', gamma=.2, coef0=.1, nu=.4)
  const attributes = {
    kernel_type: 'SIGMOID',
    kernel_params: floats([0.2, 0.1, 3]),
    n_supports: 4,
    one_class: 1,
    support_vectors: floats([0, 0, 1, 0, 0, 1, -1, 3]),
    coefficients: floats([1, 1, 1, 1]),
    rho: floats([-1.5748196840286255]),
  };
  const [signs] = await runNode({ op: 'SVMRegressor', attributes }, x);
  assertTensor(signs, tensor('float32', [4, 1], [-1, 1, 1, -1]));
});

test('a linear classifier of two classes, and an input that does not fit', async () => {
  const attributes = { classlabels_ints: ints([3, 4]), coefficients: floats([1, 0, 0, 1]), rho: floats([0.5]) };
  const [label, scores] = await runNode({ op: 'SVMClassifier', attributes, outputs: 2 }, x);
  assertTensor(label, tensor('int64', [4], [3, 3, 4, 4]));
  assertTensor(scores, tensor('float32', [4, 2], [0.9, 0.8, 2.7, 2.4, 0.5, 3, 1.5, 2]));
  const narrow = tensor('float32', [1, 1], [1]);
  await expectRejection(
    'INVALID_SHAPE',
    /1 features/,
    runNode({ op: 'SVMClassifier', attributes, outputs: 2 }, narrow),
  );
});

test.run();
