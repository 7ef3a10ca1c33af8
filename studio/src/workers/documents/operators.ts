import { CATEGORIES, type Category } from '../../graph/outline.js';

/** Operators by category; operators of other domains and TensorFlow Lite are also matched by name. */
const OF_CATEGORY: Readonly<Partial<Record<Category, string>>> = {
  product: `Conv ConvTranspose ConvInteger QLinearConv DeformConv MatMul MatMulInteger QLinearMatMul Gemm Einsum
    LSTM GRU RNN Attention MultiHeadAttention GroupQueryAttention FusedMatMul FusedGemm FusedConv MatMulNBits QGemm
    QAttention DynamicQuantizeMatMul RotaryEmbedding LinearAttention TreeEnsemble TreeEnsembleClassifier
    TreeEnsembleRegressor LinearClassifier LinearRegressor SVMClassifier SVMRegressor CONV_2D DEPTHWISE_CONV_2D TRANSPOSE_CONV CONV_3D
    FULLY_CONNECTED BATCH_MATMUL UNIDIRECTIONAL_SEQUENCE_LSTM`,
  normalization: `BatchNormalization InstanceNormalization LayerNormalization GroupNormalization LpNormalization
    MeanVarianceNormalization RMSNormalization LRN Normalizer Scaler SimplifiedLayerNormalization
    SkipLayerNormalization SkipSimplifiedLayerNormalization SkipGroupNorm GroupNorm EmbedLayerNormalization Dropout L2_NORMALIZATION
    LOCAL_RESPONSE_NORMALIZATION`,
  activation: `Relu LeakyRelu PRelu ThresholdedRelu Elu Selu Celu Gelu FastGelu BiasGelu QuickGelu Sigmoid HardSigmoid
    Tanh Softmax LogSoftmax Hardmax Softplus Softsign HardSwish Swish Mish Clip Shrink Erf BiasSplitGelu RELU RELU6 LOGISTIC TANH
    SOFTMAX LOG_SOFTMAX HARD_SWISH PRELU LEAKY_RELU ELU GELU`,
  pool: `MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool MaxUnpool MaxRoiPool RoiAlign
    QLinearAveragePool QLinearGlobalAveragePool Resize Upsample GridSample AffineGrid MAX_POOL_2D AVERAGE_POOL_2D
    RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR`,
  arithmetic: `Add Sub Mul Div Pow Sqrt Exp Log Neg Abs Reciprocal Floor Ceil Round Sign Mod Sum Mean Max Min Where And
    Or Xor Not Equal Less Greater LessOrEqual GreaterOrEqual IsNaN IsInf Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh
    Acosh Atanh Det BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot CumSum CumProd QLinearAdd QLinearMul ADD SUB
    MUL DIV MAXIMUM MINIMUM EXP LOG SQRT RSQRT POW NEG ABS SQUARE SQUARED_DIFFERENCE`,
  reduction: `ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp
    ReduceSumSquare ArgMax ArgMin TopK NonMaxSuppression Unique NonZero MEAN SUM REDUCE_MAX REDUCE_MIN ARG_MAX ARG_MIN
    TOPK_V2`,
  shape: `Reshape Transpose Flatten Squeeze Unsqueeze Concat Split Slice Gather GatherElements GatherND Scatter
    ScatterElements ScatterND Pad Tile Expand Shape Size ConstantOfShape Range DepthToSpace SpaceToDepth Identity
    Constant Cast CastLike OneHot EyeLike Trilu ReverseSequence Compress CenterCropPad Col2Im TensorScatter
    ArrayFeatureExtractor FeatureVectorizer ZipMap BitCast RESHAPE TRANSPOSE CONCATENATION SPLIT SPLIT_V PAD PADV2
    SLICE STRIDED_SLICE GATHER SQUEEZE EXPAND_DIMS PACK UNPACK CAST SHAPE TILE`,
  quantization: `QuantizeLinear DequantizeLinear DynamicQuantizeLinear GatherBlockQuantized QuantizeWithOrder
    DequantizeWithOrder QUANTIZE DEQUANTIZE`,
  control: `If Loop Scan SequenceMap SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert
    SequenceLength SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement IF WHILE CALL_ONCE`,
};

const CATEGORY_OF = new Map(
  Object.entries(OF_CATEGORY).flatMap(([category, operators]) =>
    operators.split(/\s+/).map((operator) => [operator, CATEGORIES.indexOf(category as Category)] as const),
  ),
);

/** Index into CATEGORIES. */
export const categoryOf = (operator: string): number => CATEGORY_OF.get(operator) ?? 0;

/** Operands that are sizes, axes, counts or indices, not data. A map, since a model may name an operator `constructor`. */
const SIZE_OPERANDS: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    Reshape: [1],
    Expand: [1],
    Tile: [1],
    Slice: [1, 2, 3, 4],
    Pad: [1, 3],
    Resize: [1, 2, 3],
    Upsample: [1],
    ConstantOfShape: [0],
    Range: [0, 1, 2],
    Unsqueeze: [1],
    Squeeze: [1],
    Split: [1],
    SplitToSequence: [1],
    TopK: [1],
    OneHot: [1],
    Trilu: [1],
    CenterCropPad: [1],
    AffineGrid: [1],
    MaxUnpool: [2],
    Col2Im: [1, 2],
  }),
);
const NONE: readonly number[] = [];
export const sizeOperands = (operator: string): readonly number[] => SIZE_OPERANDS.get(operator) ?? NONE;

/** Operators that exporters use to compute sizes. */
const ARITHMETIC_OF_SIZES = new Set(
  `Shape Size Constant Identity Cast CastLike Gather Slice Concat Unsqueeze Squeeze Reshape Flatten Expand Tile Split
   Add Sub Mul Div Mod Neg Abs Floor Ceil Round Min Max Sum Pow Sqrt Where Equal Less Greater LessOrEqual
   GreaterOrEqual Not And Or ConstantOfShape Range ReduceProd ReduceSum ReduceMax ReduceMin ScatterND Transpose
   GatherND ScatterElements GatherElements`.split(/\s+/),
);
export const countsSizes = (operator: string): boolean => ARITHMETIC_OF_SIZES.has(operator);

/** Operators that return the sizes of an ordinary tensor. */
export const measures = (operator: string): boolean => operator === 'Shape' || operator === 'Size';
