/** Types of operators that are quantized where nothing else is said. */
export const QUANTIZED_TYPES: readonly string[] = [
  ...['Conv', 'ConvTranspose', 'Gemm', 'MatMul'],
  ...['Add', 'Mul', 'Concat', 'Where', 'CumSum'],
  ...['Relu', 'Clip', 'LeakyRelu', 'Sigmoid', 'Softmax', 'ArgMax', 'TopK'],
  ...['MaxPool', 'AveragePool', 'GlobalAveragePool', 'Resize', 'Pad'],
  ...['Reshape', 'Transpose', 'Squeeze', 'Unsqueeze', 'Flatten', 'Slice', 'Split', 'Gather', 'GatherElements'],
  ...['InstanceNormalization', 'LayerNormalization', 'BatchNormalization'],
];
