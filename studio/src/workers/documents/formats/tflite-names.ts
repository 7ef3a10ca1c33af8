/** TensorFlow Lite builtin operators by code: https://ai.google.dev/edge/litert/models/ops_compatibility */
export const OPERATORS: readonly string[] =
  `ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE EMBEDDING_LOOKUP FLOOR
  FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION
  LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH
  CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER
  BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE
  BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM
  ARG_MAX MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE
  EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR
  ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE
  RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND
  COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE
  NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL PLACEHOLDER
  CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT
  HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS
  RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1
  UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR
  RIGHT_SHIFT`.split(/\s+/);

/** TensorProto.DataType by element type code; 0 for types that ONNX lacks. */
export const TYPES: readonly number[] = [1, 10, 6, 2, 7, 8, 9, 5, 14, 3, 11, 15, 13, 0, 0, 12, 4, 22, 16];

export const ENUMERATIONS = {
  padding: ['SAME', 'VALID'],
  activation: ['NONE', 'RELU', 'RELU_N1_TO_1', 'RELU6', 'TANH', 'SIGN_BIT'],
  format: ['DEFAULT', 'SHUFFLED4x16INT8'],
  kernel: ['FULL', 'BASIC'],
  mode: ['REFLECT', 'SYMMETRIC'],
  combiner: ['SUM', 'MEAN', 'SQRTN'],
} as const;

const ACTIVATION = 'fused_activation_function:activation';
const STRIDES = 'stride_w:int32 stride_h:int32';
const DILATIONS = 'dilation_w_factor:int32=1 dilation_h_factor:int32=1';

/** Options of builtin operators by table number in the union: the fields in order, with nonzero defaults. */
export const OPTIONS: Readonly<Record<number, string>> = {
  1: `padding:padding ${STRIDES} ${ACTIVATION} ${DILATIONS}`,
  2: `padding:padding ${STRIDES} depth_multiplier:int32 ${ACTIVATION} ${DILATIONS}`,
  5: `padding:padding ${STRIDES} filter_width:int32 filter_height:int32 ${ACTIVATION}`,
  6: `rank:int32 ${ACTIVATION} asymmetric_quantize_inputs:bool`,
  7: `${ACTIVATION} asymmetric_quantize_inputs:bool`,
  8: `${ACTIVATION} weights_format:format keep_num_dims:bool asymmetric_quantize_inputs:bool`,
  9: 'beta:float',
  10: `axis:int32 ${ACTIVATION}`,
  11: `${ACTIVATION} pot_scale_int16:bool=1`,
  12: ACTIVATION,
  13: 'radius:int32 bias:float alpha:float beta:float',
  14: `${ACTIVATION} cell_clip:float proj_clip:float kernel_type:kernel asymmetric_quantize_inputs:bool`,
  15: 'new_height:int32 new_width:int32 align_corners:bool half_pixel_centers:bool',
  17: 'new_shape:ints',
  19: 'block_size:int32',
  20: 'combiner:combiner',
  21: ACTIVATION,
  23: 'axis:int32 batch_dims:int32',
  27: 'keep_dims:bool',
  28: `${ACTIVATION} pot_scale_int16:bool=1`,
  29: ACTIVATION,
  30: 'squeeze_dims:ints',
  31: `time_major:bool ${ACTIVATION} asymmetric_quantize_inputs:bool`,
  32: 'begin_mask:int32 end_mask:int32 ellipsis_mask:int32 new_axis_mask:int32 shrink_axis_mask:int32 offset:bool',
  35: 'num_splits:int32',
  37: 'in_data_type:type out_data_type:type',
  40: 'output_type:type',
  49: `padding:padding ${STRIDES} ${ACTIVATION}`,
  50: 'validate_indices:bool',
  55: 'out_type:type',
  57: 'output_type:type',
  58: 'min:float max:float num_bits:int32 narrow_range:bool',
  59: 'values_count:int32 axis:int32',
  61: 'axis:int32',
  64: 'num:int32 axis:int32',
  69: `${ACTIVATION} cell_clip:float proj_clip:float merge_outputs:bool time_major:bool=1 asymmetric_quantize_inputs:bool`,
  70: `time_major:bool ${ACTIVATION} merge_outputs:bool asymmetric_quantize_inputs:bool`,
  71: `${ACTIVATION} cell_clip:float proj_clip:float time_major:bool asymmetric_quantize_inputs:bool`,
  74: 'align_corners:bool half_pixel_centers:bool',
  75: 'alpha:float',
  77: 'mode:mode',
  79: 'num_splits:int32',
  80: 'idx_out_type:type',
  87: 'seq_dim:int32 batch_dim:int32',
  92: 'then_branch:graph else_branch:graph',
  93: 'cond:graph body:graph',
  94: 'block_size:int32',
  101: 'adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool',
  102: 'exclusive:bool reverse:bool',
  103: 'init:graph',
};
