import { InferenceSession, type SardonyxError, Tensor } from 'sardonyx';
import { modelBuilder } from 'sardonyx/builder';
import ort from 'sardonyx/onnxruntime';
import { createPool } from 'sardonyx/pool';

const feed: Tensor = new Tensor('float32', [1, 2], [2]);
const code = (error: SardonyxError): string => error.code;
const session: Promise<InferenceSession> = InferenceSession.create(modelBuilder({ opset: 21 }).toBytes());
const same = new ort.Tensor('float32', [1, 2], [2]);
void createPool('model.onnx', { size: 2 });
// @ts-expect-error: there is no such element type
void new Tensor('float31', [1], [1]);
export = { feed, code, session, same };
