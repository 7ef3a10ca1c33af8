/** The operators that are quantized by default. */
export const QUANTIZED_TYPES: readonly string[] = [
  ...['Conv', 'ConvTranspose', 'Gemm', 'MatMul'],
  ...['Add', 'Mul', 'Concat', 'Where', 'CumSum'],
  ...['Relu', 'Clip', 'LeakyRelu', 'Sigmoid', 'Softmax', 'ArgMax', 'TopK'],
  ...['MaxPool', 'AveragePool', 'GlobalAveragePool', 'Resize', 'Pad'],
  ...['Reshape', 'Transpose', 'Squeeze', 'Unsqueeze', 'Flatten', 'Slice', 'Split', 'Gather', 'GatherElements'],
  ...['InstanceNormalization', 'LayerNormalization', 'BatchNormalization'],
];
