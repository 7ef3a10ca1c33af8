// Uses of the public interface that must not compile. Checked, not run.
import { env, InferenceSession, type SardonyxError, Tensor } from 'sardonyx';
import { modelBuilder, tensor } from 'sardonyx/builder';

export async function sessions(session: InferenceSession): Promise<void> {
  // @ts-expect-error sessions are made by create
  new InferenceSession();
  // @ts-expect-error no source
  await InferenceSession.create(42);
  // @ts-expect-error no such level
  await InferenceSession.create('model.onnx', { graphOptimizationLevel: 'full' });
  // @ts-expect-error sizes are numbers
  await InferenceSession.create('model.onnx', { freeDimensionOverrides: { batch: 'one' } });
  // @ts-expect-error feeds are missing
  await session.run();
  // @ts-expect-error a number is no value
  await session.run({ x: 1 });
  // @ts-expect-error fetches are names
  await session.run({}, [1]);
  // @ts-expect-error outputs are written into tensors
  await session.run({}, { y: new Float32Array(4) });
  // @ts-expect-error names are fixed by the model
  session.inputNames.push('z');
  const { y } = await session.run({}, ['y']);
  // @ts-expect-error an output that is not fetched is not there
  (await session.run({}, ['y'])).z;
  // @ts-expect-error its elements may be bigints or strings
  y.data[0] + 1;
}

type Inputs = { image: 'float32'; ids: 'int64' };
type Outputs = { scores: 'float32'; boxes: Tensor<'float32'>[] };

export async function named(session: InferenceSession<Inputs, Outputs>, image: Tensor<'float32'>): Promise<void> {
  const ids = new Tensor('int64', [1n]);
  // @ts-expect-error ids are missing
  await session.run({ image });
  // @ts-expect-error misspelt
  await session.run({ imgae: image, ids });
  // @ts-expect-error ids of another type
  await session.run({ image, ids: image });
  // @ts-expect-error a tensor of any type may be of another
  await session.run({ image, ids: ids as Tensor });
  // @ts-expect-error a list is no tensor
  await session.run({ image: [1, 2], ids });
  // @ts-expect-error no such output
  await session.run({ image, ids }, ['score']);
  // @ts-expect-error no such output
  await session.run({ image, ids }, { score: null });
  // @ts-expect-error written into a tensor of its type
  await session.run({ image, ids }, { scores: ids });
  const { scores, boxes } = await session.run({ image, ids });
  // @ts-expect-error a sequence has no dims
  boxes.dims;
  // @ts-expect-error floats are no bigints
  scores.data[0] = 1n;
  // @ts-expect-error no element type
  await InferenceSession.create<{ x: 'float' }>('model.onnx');
}

export function tensors(x: Tensor): void {
  // @ts-expect-error elements in one flat list
  new Tensor('float32', [[1, 2]], [1, 2]);
  // @ts-expect-error elements in one flat list
  new Tensor([[1, 2]], [1, 2]);
  // @ts-expect-error strings are no numbers
  new Tensor('float32', ['1']);
  // @ts-expect-error bigints are no floats
  new Tensor('float32', [1n]);
  // @ts-expect-error another array
  new Tensor('int64', new Int32Array(1));
  // @ts-expect-error dims are a list
  new Tensor('float32', [1], 1);
  // @ts-expect-error bigints are no dims
  new Tensor('float32', [1], [1n]);
  // @ts-expect-error no element type says that
  new Tensor([{}]);
  // @ts-expect-error a tensor of another type
  const longs: Tensor<'int64'> = new Tensor('float32', [1]);
  // @ts-expect-error of any type
  const one: Tensor<'float32'> = x;
  console.log(longs, one);
  // @ts-expect-error no such element type
  new Tensor('float33', [1]);
  // @ts-expect-error no data
  new Tensor('float32');
  // @ts-expect-error dims are numbers
  new Tensor('float32', [1], ['1']);
  // @ts-expect-error dims are fixed
  x.dims = [1];
}

export function errors(error: SardonyxError): boolean {
  // @ts-expect-error no such code
  return error.code === 'BROKEN';
}

export function configures(): void {
  // @ts-expect-error no such variant
  env.wasm.variant = 'sse';
}

export function builds(): void {
  // @ts-expect-error the opset is missing
  modelBuilder({});
  const b = modelBuilder({ opset: 21 });
  // @ts-expect-error no such element type
  b.input('x', 'float', [1]);
  // @ts-expect-error inputs are values, not names
  b.op('Relu', ['x']);
  // @ts-expect-error a single output is no list
  const [first, second] = b.node('Relu', [b.input('y', 'float32')]);
  // @ts-expect-error dims come second
  tensor('float32', new Float32Array(2), [2]);
  console.log(first, second);
}
