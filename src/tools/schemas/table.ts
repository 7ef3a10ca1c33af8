/**
 * Every version of every operator of ONNX's own domains (ai.onnx 28, ai.onnx.ml 5), written by tools/schema-table.ts:
 * `name since | attributes | inputs -> outputs | types of variables`, and remarks; of later versions `since` and what they change,
 * `-name` what they lack. `!` is required, `?` optional, `...` repeats, `*` repeats with other types, both also none at all where
 * `?` follows. https://onnx.ai/onnx/operators
 */
export const TABLE = `
domain ai.onnx
Abs 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs |  | T = integers floats
13 |  |  | T = integers floats bfloat16
Acos 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Acosh 9 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Add 1 | axis: int, broadcast: int=0, consumed_inputs: ints | A: T, B: T -> C: T | T = floats
6 | -consumed_inputs |  | T = floats int32 int64 uint32 uint64
7 | -axis, -broadcast
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
14 |  |  | T = integers floats bfloat16
AffineGrid 20 | align_corners: int=0 | theta: T1, size: T2 -> grid: T1 | T1 = floats bfloat16, T2 = int64
And 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = bool, T1 = bool
7 | -axis, -broadcast
ArgMax 1 | axis: int=0, keepdims: int=1 | data: T -> reduced: int64 | T = integers floats
11
12 | select_last_index: int=0
13 |  |  | T = integers floats bfloat16
ArgMin 1 | axis: int=0, keepdims: int=1 | data: T -> reduced: int64 | T = integers floats
11
12 | select_last_index: int=0
13 |  |  | T = integers floats bfloat16
Asin 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Asinh 9 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Atan 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Atanh 9 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Attention 23 | is_causal: int=0, kv_num_heads: int, q_num_heads: int, qk_matmul_output_mode: int=0, scale: float, softcap: float=0.0, softmax_precision: int | Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: T1, past_value?: T2 -> Y: T1, present_key?: T1, present_value?: T2, qk_matmul_output?: T1 | T1 = floats bfloat16, T2 = floats bfloat16, U = integers floats bool bfloat16
24 |  | Q: T1, K: T1, V: T2, attn_mask?: U, past_key?: T1, past_value?: T2, nonpad_kv_seqlen?: int64 -> Y: T1, present_key?: T1, present_value?: T2, qk_matmul_output?: T1
25 | left_window_size: int=-1, right_window_size: int=-1
AveragePool 1 | auto_pad: string=NOTSET, kernel_shape!: ints, pads: ints, strides: ints | X: T -> Y: T | T = floats
7 | count_include_pad: int=0
10 | ceil_mode: int=0
11
19 | dilations: ints
22 |  |  | T = floats bfloat16
BatchNormalization 1 | consumed_inputs!: ints, epsilon: float=1e-05, is_test: int=0, momentum: float=0.9, spatial: int=1 | X: T, scale: T, B: T, mean: T, var: T -> Y: T, mean?: T, var?: T, saved_mean?: T, saved_var?: T | T = floats | outputs 1 5
6 | -consumed_inputs |  |  | outputs 1 5
7 | -is_test |  |  | outputs 1 5
9 | -spatial |  |  | outputs 1 5
14 | training_mode: int=0 | X: T, scale: T, B: T, input_mean: U, input_var: U -> Y: T, running_mean?: U, running_var?: U | T = floats bfloat16, U = floats bfloat16 | outputs 1 3
15 |  | X: T, scale: T1, B: T1, input_mean: T2, input_var: T2 -> Y: T, running_mean?: T2, running_var?: T2 | -U, T1 = floats bfloat16, T2 = floats bfloat16 | outputs 1 3
Bernoulli 15 | dtype: int, seed: float | input: T1 -> output: T2 | T1 = floats, T2 = integers floats bool bfloat16
22 |  |  | T1 = floats bfloat16
BitCast 26 | to!: int | input: T1 -> output: T2 | T1 = integers floats complexes float8s bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2, T2 = integers floats complexes float8s bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
BitShift 11 | direction!: string | X: T, Y: T -> Z: T | T = uint8 uint16 uint32 uint64
BitwiseAnd 18 |  | A: T, B: T -> C: T | T = integers
BitwiseNot 18 |  | X: T -> Y: T | T = integers
BitwiseOr 18 |  | A: T, B: T -> C: T | T = integers
BitwiseXor 18 |  | A: T, B: T -> C: T | T = integers
BlackmanWindow 17 | output_datatype: int=1, periodic: int=1 | size: T1 -> output: T2 | T1 = int32 int64, T2 = integers floats bfloat16
Cast 1 | to!: string | input: T1 -> output: T2 | T1 = integers floats bool, T2 = integers floats bool
6 | to!: int
9 |  |  | T1 = integers floats string bool, T2 = integers floats string bool
13 |  |  | T1 = integers floats string bool bfloat16, T2 = integers floats string bool bfloat16
19 | saturate: int=1 |  | T1 = integers floats float8s string bool bfloat16, T2 = integers floats float8s string bool bfloat16
21 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4, T2 = integers floats float8s string bool bfloat16 uint4 int4
23 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1
24 | round_mode: string=up |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
CastLike 15 |  | input: T1, target_type: T2 -> output: T2 | T1 = integers floats string bool bfloat16, T2 = integers floats string bool bfloat16
19 | saturate: int=1 |  | T1 = integers floats float8s string bool bfloat16, T2 = integers floats float8s string bool bfloat16
21 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4, T2 = integers floats float8s string bool bfloat16 uint4 int4
23 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1
24 | round_mode: string=up |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T1 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2, T2 = integers floats float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
CausalConvWithState 27 | activation: string=none | input: T, weight: T, bias?: T, past_state?: T -> output: T, present_state: T | T = float32 float16 bfloat16
Ceil 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
Celu 12 | alpha: float=1.0 | X: T -> Y: T | T = float32
28 |  |  | T = floats bfloat16
CenterCropPad 18 | axes: ints | input_data: T, shape: Tind -> output_data: T | T = integers floats complexes string bool bfloat16, Tind = int32 int64
Clip 1 | consumed_inputs: ints, max: float, min: float | input: T -> output: T | T = floats
6 | -consumed_inputs, max: float=3.402823e+38, min: float=-3.402823e+38
11 | -max, -min | input: T, min?: T, max?: T -> output: T
12 |  |  | T = integers floats
13 |  |  | T = integers floats bfloat16
Col2Im 18 | dilations: ints, pads: ints, strides: ints | input: T, image_shape: int64, block_shape: int64 -> output: T | T = integers floats complexes string bool bfloat16
Compress 9 | axis: int | input: T, condition: T1 -> output: T | T = integers floats complexes string bool, T1 = bool
11
Concat 1 | axis: int | inputs...: T -> concat_result: T | T = floats
4 | axis!: int |  | T = integers floats complexes string bool
11
13 |  |  | T = integers floats complexes string bool bfloat16
ConcatFromSequence 11 | axis!: int, new_axis: int=0 | input_sequence: S -> concat_result: T | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), T = integers floats complexes string bool
Constant 1 | value!: tensor | -> output: T | T = floats
9 |  |  | T = integers floats complexes string bool
11 | sparse_value: sparse, value: tensor
12 | value_float: float, value_floats: floats, value_int: int, value_ints: ints, value_string: string, value_strings: strings
13 |  |  | T = integers floats complexes string bool bfloat16
19 |  |  | T = integers floats complexes float8s string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
ConstantOfShape 9 | value: tensor | input: T1 -> output: T2 | T1 = int64, T2 = integers floats bool
20 |  |  | T2 = integers floats float8s bool bfloat16
21 |  |  | T2 = integers floats float8s bool bfloat16 uint4 int4
23 |  |  | T2 = integers floats float8s bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T2 = integers floats float8s bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T2 = integers floats float8s bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Conv 1 | auto_pad: string=NOTSET, dilations: ints, group: int=1, kernel_shape: ints, pads: ints, strides: ints | X: T, W: T, B?: T -> Y: T | T = floats
11
22 |  |  | T = floats bfloat16
ConvInteger 10 | auto_pad: string=NOTSET, dilations: ints, group: int=1, kernel_shape: ints, pads: ints, strides: ints | x: T1, w: T2, x_zero_point?: T1, w_zero_point?: T2 -> y: T3 | T1 = uint8 int8, T2 = uint8 int8, T3 = int32
ConvTranspose 1 | auto_pad: string=NOTSET, dilations: ints, group: int=1, kernel_shape: ints, output_padding: ints, output_shape: ints, pads: ints, strides: ints | X: T, W: T, B?: T -> Y: T | T = floats
11
22 |  |  | T = floats bfloat16
Cos 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Cosh 9 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
CumProd 26 | exclusive: int=0, reverse: int=0 | x: T, axis: T2 -> y: T | T = floats int32 int64 uint32 uint64 bfloat16, T2 = int32 int64
CumSum 11 | exclusive: int=0, reverse: int=0 | x: T, axis: T2 -> y: T | T = float32 int32 int64 float64 uint32 uint64, T2 = int32 int64
14 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
DFT 17 | axis: int=1, inverse: int=0, onesided: int=0 | input: T1, dft_length?: T2 -> output: T1 | T1 = floats bfloat16, T2 = int32 int64
20 | -axis | input: T1, dft_length?: T2, axis?: int64 -> output: T1
DeformConv 19 | dilations: ints, group: int=1, kernel_shape: ints, offset_group: int=1, pads: ints, strides: ints | X: T, W: T, offset: T, B?: T, mask?: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
DepthToSpace 1 | blocksize!: int | input: T -> output: T | T = integers floats complexes string bool
11 | mode: string=DCR
13 |  |  | T = integers floats complexes string bool bfloat16
DequantizeLinear 10 |  | x: T, x_scale: float32, x_zero_point?: T -> y: float32 | T = uint8 int8 int32
13 | axis: int=1
19 |  | x: T1, x_scale: T2, x_zero_point?: T1 -> y: T2 | -T, T1 = float8s uint8 int8 int32, T2 = float32 float16 bfloat16
21 | block_size: int=0 |  | T1 = float8s uint8 int8 uint16 int16 int32 uint4 int4
23 | output_dtype: int=0 | x: T1, x_scale: T2, x_zero_point?: T1 -> y: T3 | T1 = float8s uint8 int8 uint16 int16 int32 uint4 int4 float4e2m1, T3 = float32 float16 bfloat16
24 |  |  | T2 = float32 float16 bfloat16 float8e8m0
25 |  |  | T1 = float8s uint8 int8 uint16 int16 int32 uint4 int4 float4e2m1 uint2 int2
Det 11 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Div 1 | axis: int, broadcast: int=0, consumed_inputs: ints | A: T, B: T -> C: T | T = floats
6 | -consumed_inputs |  | T = floats int32 int64 uint32 uint64
7 | -axis, -broadcast
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
14 |  |  | T = integers floats bfloat16
Dropout 1 | consumed_inputs: ints, is_test: int=0, ratio: float=0.5 | data: T -> output: T, mask?: T | T = floats
6 | -consumed_inputs
7 | -is_test
10 |  | data: T -> output: T, mask?: T1 | T1 = bool
12 | -ratio, seed: int | data: T, ratio?: T1, training_mode?: T2 -> output: T, mask?: T2 | T1 = floats, T2 = bool
13 |  |  | T = floats bfloat16
22 |  |  | T = floats float8s bfloat16, T1 = floats float8s bfloat16
DynamicQuantizeLinear 11 |  | x: T1 -> y: T2, y_scale: float32, y_zero_point: T2 | T1 = float32, T2 = uint8
Einsum 12 | equation!: string | Inputs...: T -> Output: T | T = integers floats
Elu 1 | alpha: float=1.0, consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
22 |  |  | T = floats bfloat16
Equal 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = int32 int64 bool, T1 = bool
7 | -axis, -broadcast
11 |  |  | T = integers floats bool
13 |  |  | T = integers floats bool bfloat16
19 |  |  | T = integers floats string bool bfloat16
Erf 9 |  | input: T -> output: T | T = integers floats
13 |  |  | T = floats bfloat16
Exp 1 | consumed_inputs: ints | input: T -> output: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
Expand 8 |  | input: T, shape: int64 -> output: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
EyeLike 9 | dtype: int, k: int=0 | input: T1 -> output: T2 | T1 = integers floats bool, T2 = integers floats bool
22 |  |  | T1 = integers floats bool bfloat16, T2 = integers floats bool bfloat16
Flatten 1 | axis: int=1 | input: T -> output: T | T = floats
9 |  |  | T = integers floats complexes string bool
11
13 |  |  | T = integers floats complexes string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Floor 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
GRU 1 | activation_alpha: floats, activation_beta: floats, activations: strings, clip: float, direction: string=foward, hidden_size: int, output_sequence: int=0 | X: T, W: T, R: T, B?: T, sequence_lens?: T1, initial_h?: T -> Y?: T, Y_h: T | T = floats, T1 = int32
3 | direction: string=forward, linear_before_reset: int=0 | X: T, W: T, R: T, B?: T, sequence_lens?: T1, initial_h?: T -> Y?: T, Y_h?: T
7 | -output_sequence
14 | layout: int=0
22 |  |  | T = floats bfloat16
Gather 1 | axis: int=0 | data: T, indices: Tind -> output: T | T = integers floats complexes string bool, Tind = int32 int64
11
13 |  |  | T = integers floats complexes string bool bfloat16
GatherElements 11 | axis: int=0 | data: T, indices: Tind -> output: T | T = integers floats complexes string bool, Tind = int32 int64
13 |  |  | T = integers floats complexes string bool bfloat16
GatherND 11 |  | data: T, indices: int64 -> output: T | T = integers floats complexes string bool
12 | batch_dims: int=0
13 |  |  | T = integers floats complexes string bool bfloat16
Gelu 20 | approximate: string=none | X: T -> Y: T | T = floats bfloat16
Gemm 1 | alpha: float=1.0, beta: float=1.0, broadcast: int=0, transA: int=0, transB: int=0 | A: T, B: T, C: T -> Y: T | T = floats
6
7 | -broadcast
9 |  |  | T = floats int32 int64 uint32 uint64
11 |  | A: T, B: T, C?: T -> Y: T
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
GlobalAveragePool 1 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
GlobalLpPool 1 | p: float=2.0 | X: T -> Y: T | T = floats
2 | p: int=2
22 |  |  | T = floats bfloat16
GlobalMaxPool 1 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Greater 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = floats, T1 = bool
7 | -axis, -broadcast
9 |  |  | T = integers floats
13 |  |  | T = integers floats bfloat16
GreaterOrEqual 12 |  | A: T, B: T -> C: T1 | T = integers floats, T1 = bool
16 |  |  | T = integers floats bfloat16
GridSample 16 | align_corners: int=0, mode: string=bilinear, padding_mode: string=zeros | X: T1, grid: T2 -> Y: T1 | T1 = integers floats complexes string bool, T2 = floats
20 | mode: string=linear
22 |  |  | T1 = integers floats complexes string bool bfloat16, T2 = floats bfloat16
GroupNormalization 18 | deprecated
GroupNormalization 21 | epsilon: float=1e-05, num_groups!: int, stash_type: int=1 | X: T, scale: T, bias: T -> Y: T | T = floats bfloat16
HammingWindow 17 | output_datatype: int=1, periodic: int=1 | size: T1 -> output: T2 | T1 = int32 int64, T2 = integers floats bfloat16
HannWindow 17 | output_datatype: int=1, periodic: int=1 | size: T1 -> output: T2 | T1 = int32 int64, T2 = integers floats bfloat16
HardSigmoid 1 | alpha: float=0.2, beta: float=0.5, consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
22 |  |  | T = floats bfloat16
HardSwish 14 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Hardmax 1 | axis: int=1 | input: T -> output: T | T = floats
11
13 | axis: int=-1 |  | T = floats bfloat16
Identity 1 |  | input: T -> output: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
14 |  | input: V -> output: V | -T, V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool) bfloat16
16 |  |  | V = integers floats complexes seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16
19 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16
21 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 uint4 int4
23 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 uint4 int4 float4e2m1
24 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
If 1 | else_branch!: graph, then_branch!: graph | cond: B -> outputs*: V | V = integers floats complexes string bool, B = bool
11
13 |  |  | V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool)
16 |  |  | V = integers floats complexes seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16)
19 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16)
21 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4)
23 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1)
24 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1) float8e8m0 seq(float8e8m0) optional(float8e8m0)
25 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1) float8e8m0 seq(float8e8m0) optional(float8e8m0) uint2 seq(uint2) optional(uint2) int2 seq(int2) optional(int2)
ImageDecoder 20 | pixel_format: string=RGB | encoded_stream: T1 -> image: T2 | T1 = uint8, T2 = uint8
InstanceNormalization 1 | consumed_inputs: ints, epsilon: float=1e-05 | input: T, scale: T, B: T -> output: T | T = floats
6 | -consumed_inputs
22 |  |  | T = floats bfloat16
IsInf 10 | detect_negative: int=1, detect_positive: int=1 | X: T1 -> Y: T2 | T1 = float32 float64, T2 = bool
20 |  |  | T1 = floats float8s bfloat16
IsNaN 9 |  | X: T1 -> Y: T2 | T1 = floats, T2 = bool
13 |  |  | T1 = floats bfloat16
20 |  |  | T1 = floats float8s bfloat16
LRN 1 | alpha: float=0.0001, beta: float=0.75, bias: float=1.0, size!: int | X: T -> Y: T | T = floats
13 |  |  | T = floats bfloat16
LSTM 1 | activation_alpha: floats, activation_beta: floats, activations: strings, clip: float, direction: string=forward, hidden_size: int, input_forget: int=0, output_sequence: int=0 | X: T, W: T, R: T, B?: T, sequence_lens?: T1, initial_h?: T, initial_c?: T, P?: T -> Y?: T, Y_h?: T, Y_c?: T | T = floats, T1 = int32
7 | -output_sequence
14 | layout: int=0
22 |  |  | T = floats bfloat16
LayerNormalization 17 | axis: int=-1, epsilon: float=1e-05, stash_type: int=1 | X: T, Scale: T, B?: T -> Y: T, Mean?: U, InvStdDev?: U | T = floats bfloat16, U = float32 bfloat16 | open
LeakyRelu 1 | alpha: float=0.01, consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
16 |  |  | T = floats bfloat16
Less 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = floats, T1 = bool
7 | -axis, -broadcast
9 |  |  | T = integers floats
13 |  |  | T = integers floats bfloat16
LessOrEqual 12 |  | A: T, B: T -> C: T1 | T = integers floats, T1 = bool
16 |  |  | T = integers floats bfloat16
LinearAttention 27 | chunk_size: int=64, kv_num_heads!: int, q_num_heads!: int, scale: float=0.0, update_rule: string=gated_delta | query: T, key: T, value: T, past_state?: S, decay?: T, beta?: T -> output: T, present_state: S | T = float32 float16 bfloat16, S = float32 float16 bfloat16
Log 1 | consumed_inputs: ints | input: T -> output: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
LogSoftmax 1 | axis: int=1 | input: T -> output: T | T = floats
11
13 | axis: int=-1 |  | T = floats bfloat16
Loop 1 | body!: graph | M?: I, cond?: B, v_initial*: V -> v_final_and_scan_outputs*: V | V = integers floats complexes string bool, I = int64, B = bool
11 |  | M?: I, cond?: B, v_initial*?: V -> v_final_and_scan_outputs*: V
13 |  |  | V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool)
16 |  |  | V = integers floats complexes seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16)
19 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16)
21 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4)
23 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1)
24 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1) float8e8m0 seq(float8e8m0) optional(float8e8m0)
25 |  |  | V = integers floats complexes float8s seq(integers) seq(floats) seq(complexes) seq(float8s) optional(integers) optional(floats) optional(complexes) optional(float8s) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) string seq(string) optional(seq(string)) optional(string) bool seq(bool) optional(seq(bool)) optional(bool) bfloat16 seq(bfloat16) optional(seq(bfloat16)) optional(bfloat16) uint4 seq(uint4) optional(uint4) int4 seq(int4) optional(int4) float4e2m1 seq(float4e2m1) optional(float4e2m1) float8e8m0 seq(float8e8m0) optional(float8e8m0) uint2 seq(uint2) optional(uint2) int2 seq(int2) optional(int2)
LpNormalization 1 | axis: int=-1, p: int=2 | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
LpPool 1 | auto_pad: string=NOTSET, kernel_shape: ints, p: float=2.0, pads: ints, strides: ints | X: T -> Y: T | T = floats
2 | kernel_shape!: ints, p: int=2
11
18 | ceil_mode: int=0, dilations: ints
22 |  |  | T = floats bfloat16
MatMul 1 |  | A: T, B: T -> Y: T | T = floats
9 |  |  | T = floats int32 int64 uint32 uint64
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
MatMulInteger 10 |  | A: T1, B: T2, a_zero_point?: T1, b_zero_point?: T2 -> Y: T3 | T1 = uint8 int8, T2 = uint8 int8, T3 = int32
Max 1 | consumed_inputs: ints | data_0...: T -> max: T | T = floats
6 | -consumed_inputs
8
12 |  |  | T = integers floats
13 |  |  | T = integers floats bfloat16
MaxPool 1 | auto_pad: string=NOTSET, kernel_shape!: ints, pads: ints, strides: ints | X: T -> Y: T | T = floats
8 | storage_order: int=0 | X: T -> Y: T, Indices?: I | I = int64
10 | ceil_mode: int=0, dilations: ints
11
12 |  |  | T = floats uint8 int8
22 |  |  | T = floats uint8 int8 bfloat16
MaxRoiPool 1 | pooled_shape!: ints, spatial_scale: float=1.0 | X: T, rois: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
MaxUnpool 9 | kernel_shape!: ints, pads: ints, strides: ints | X: T1, I: T2, output_shape?: T2 -> output: T1 | T1 = floats, T2 = int64
11
22 |  |  | T1 = floats bfloat16
Mean 1 | consumed_inputs: ints | data_0...: T -> mean: T | T = floats
6 | -consumed_inputs
8
13 |  |  | T = floats bfloat16
MeanVarianceNormalization 9 | axes: ints=0 2 3 | X: T -> Y: T | T = floats
13 |  |  | T = floats bfloat16
MelWeightMatrix 17 | output_datatype: int=1 | num_mel_bins: T1, dft_length: T1, sample_rate: T1, lower_edge_hertz: T2, upper_edge_hertz: T2 -> output: T3 | T1 = int32 int64, T2 = floats bfloat16, T3 = integers floats bfloat16
Min 1 | consumed_inputs: ints | data_0...: T -> min: T | T = floats
6 | -consumed_inputs
8
12 |  |  | T = integers floats
13 |  |  | T = integers floats bfloat16
Mish 18 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Mod 10 | fmod: int=0 | A: T, B: T -> C: T | T = integers floats
13 |  |  | T = integers floats bfloat16
Mul 1 | axis: int, broadcast: int=0, consumed_inputs: ints | A: T, B: T -> C: T | T = floats
6 | -consumed_inputs |  | T = floats int32 int64 uint32 uint64
7 | -axis, -broadcast
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
14 |  |  | T = integers floats bfloat16
Multinomial 7 | dtype: int=6, sample_size: int=1, seed: float | input: T1 -> output: T2 | T1 = floats, T2 = int32 int64
22 |  |  | T1 = floats bfloat16
Neg 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs |  | T = floats int8 int16 int32 int64
13 |  |  | T = floats int8 int16 int32 int64 bfloat16
NegativeLogLikelihoodLoss 12 | ignore_index: int, reduction: string=mean | input: T, target: Tind, weight?: T -> loss: T | T = floats, Tind = int32 int64
13
22 |  |  | T = floats bfloat16
NonMaxSuppression 10 | center_point_box: int=0 | boxes: float32, scores: float32, max_output_boxes_per_class?: int64, iou_threshold?: float32, score_threshold?: float32 -> selected_indices: int64
11
NonZero 9 |  | X: T -> Y: int64 | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
Not 1 |  | X: T -> Y: T | T = bool
OneHot 9 | axis: int=-1 | indices: T1, depth: T2, values: T3 -> output: T3 | T1 = integers floats, T2 = integers floats, T3 = integers floats complexes string bool
11
Optional 15 | type: type | input?: V -> output: O | V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool), O = optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) optional(seq(string)) optional(string) optional(seq(bool)) optional(bool)
OptionalGetElement 15 |  | input: O -> output: V | O = optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) optional(seq(string)) optional(string) optional(seq(bool)) optional(bool), V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool)
18 |  |  | O = integers floats complexes seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) optional(seq(string)) optional(string) string seq(string) optional(seq(bool)) optional(bool) bool seq(bool)
OptionalHasElement 15 |  | input: O -> output: B | O = optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) optional(seq(string)) optional(string) optional(seq(bool)) optional(bool), B = bool
18 |  | input?: O -> output: B | O = integers floats complexes seq(integers) seq(floats) seq(complexes) optional(integers) optional(floats) optional(complexes) optional(seq(integers)) optional(seq(floats)) optional(seq(complexes)) optional(seq(string)) optional(string) string seq(string) optional(seq(bool)) optional(bool) bool seq(bool)
Or 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = bool, T1 = bool
7 | -axis, -broadcast
PRelu 1 | consumed_inputs: ints | X: T, slope: T -> Y: T | T = floats
6 | -consumed_inputs
7
9 |  |  | T = floats int32 int64 uint32 uint64
16 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
Pad 1 | mode: string=constant, paddings!: ints, value: float=0.0 | data: T -> output: T | T = floats
2 | -paddings, pads!: ints
11 | -pads, -value | data: T, pads: int64, constant_value?: T -> output: T | T = integers floats
13 |  |  | T = integers floats complexes string bool bfloat16
18 |  | data: T, pads: int64, constant_value?: T, axes?: Tind -> output: T | Tind = int32 int64
19
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Pow 1 | axis: int, broadcast: int=0 | X: T, Y: T -> Z: T | T = floats
7 | -axis, -broadcast
12 |  | X: T, Y: T1 -> Z: T | T = floats int32 int64, T1 = integers floats
13 |  |  | T = floats int32 int64 bfloat16
15 |  |  | T1 = integers floats bfloat16
QLinearConv 10 | auto_pad: string=NOTSET, dilations: ints, group: int=1, kernel_shape: ints, pads: ints, strides: ints | x: T1, x_scale: float32, x_zero_point: T1, w: T2, w_scale: float32, w_zero_point: T2, y_scale: float32, y_zero_point: T3, B?: T4 -> y: T3 | T1 = uint8 int8, T2 = uint8 int8, T3 = uint8 int8, T4 = int32
QLinearMatMul 10 |  | a: T1, a_scale: float32, a_zero_point: T1, b: T2, b_scale: float32, b_zero_point: T2, y_scale: float32, y_zero_point: T3 -> y: T3 | T1 = uint8 int8, T2 = uint8 int8, T3 = uint8 int8
21 |  | a: T1, a_scale: TS, a_zero_point: T1, b: T2, b_scale: TS, b_zero_point: T2, y_scale: TS, y_zero_point: T3 -> y: T3 | TS = float32 float16 bfloat16, T1 = float8s uint8 int8, T2 = float8s uint8 int8, T3 = float8s uint8 int8
QuantizeLinear 10 |  | x: T1, y_scale: float32, y_zero_point?: T2 -> y: T2 | T1 = float32 int32, T2 = uint8 int8
13 | axis: int=1
19 | saturate: int=1 | x: T1, y_scale: T1, y_zero_point?: T2 -> y: T2 | T1 = float32 int32 float16 bfloat16, T2 = float8s uint8 int8
21 | block_size: int=0, output_dtype: int=0 |  | T2 = float8s uint8 int8 uint16 int16 uint4 int4
23 | precision: int=0 | x: T1, y_scale: T2, y_zero_point?: T3 -> y: T3 | T2 = float32 int32 float16 bfloat16, T3 = float8s uint8 int8 uint16 int16 uint4 int4 float4e2m1
24 |  |  | T2 = float32 int32 float16 bfloat16 float8e8m0
25 |  |  | T3 = float8s uint8 int8 uint16 int16 uint4 int4 float4e2m1 uint2 int2
RMSNormalization 23 | axis: int=-1, epsilon: float=1e-05, stash_type: int=1 | X: T, scale: V -> Y: V | T = floats bfloat16, V = floats bfloat16
RNN 1 | activation_alpha: floats, activation_beta: floats, activations: strings=Tanh Tanh, clip: float, direction: string=forward, hidden_size: int, output_sequence: int=0 | X: T, W: T, R: T, B?: T, sequence_lens?: T1, initial_h?: T -> Y?: T, Y_h?: T | T = floats, T1 = int32
7 | -output_sequence
14 | layout: int=0
22 |  |  | T = floats bfloat16
RandomNormal 1 | dtype: int=1, mean: float=0.0, scale: float=1.0, seed: float, shape!: ints | -> output: T | T = floats
22 |  |  | T = floats bfloat16
RandomNormalLike 1 | dtype: int, mean: float=0.0, scale: float=1.0, seed: float | input: T1 -> output: T2 | T1 = integers floats complexes string bool, T2 = floats
22 |  |  | T1 = integers floats complexes string bool bfloat16, T2 = floats bfloat16
RandomUniform 1 | dtype: int=1, high: float=1.0, low: float=0.0, seed: float, shape!: ints | -> output: T | T = floats
22 |  |  | T = floats bfloat16
RandomUniformLike 1 | dtype: int, high: float=1.0, low: float=0.0, seed: float | input: T1 -> output: T2 | T1 = integers floats complexes string bool, T2 = floats
22 |  |  | T1 = integers floats complexes string bool bfloat16, T2 = floats bfloat16
Range 11 |  | start: T, limit: T, delta: T -> output: T | T = float32 int16 int32 int64 float64
27 | stash_type: int=1 |  | T = floats int16 int32 int64 bfloat16
Reciprocal 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
ReduceL1 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceL2 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceLogSum 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceLogSumExp 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceMax 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
12 |  |  | T = floats uint8 int8 int32 int64 uint32 uint64
13 |  |  | T = floats uint8 int8 int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
20 |  |  | T = floats uint8 int8 int32 int64 bool uint32 uint64 bfloat16
ReduceMean 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceMin 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
12 |  |  | T = floats uint8 int8 int32 int64 uint32 uint64
13 |  |  | T = floats uint8 int8 int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
20 |  |  | T = floats uint8 int8 int32 int64 bool uint32 uint64 bfloat16
ReduceProd 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
ReduceSum 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T | T = floats int32 int64 uint32 uint64 bfloat16
ReduceSumSquare 1 | axes: ints, keepdims: int=1 | data: T -> reduced: T | T = floats int32 int64 uint32 uint64
11
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
18 | -axes, noop_with_empty_axes: int=0 | data: T, axes?: int64 -> reduced: T
RegexFullMatch 20 | pattern: string | X: T1 -> Y: T2 | T1 = string, T2 = bool
Relu 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
14 |  |  | T = floats int8 int16 int32 int64 bfloat16
Reshape 1 | consumed_inputs: ints, shape: ints | data: T -> reshaped: T | T = floats
5 | -consumed_inputs, -shape | data: T, shape: int64 -> reshaped: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
14 | allowzero: int=0
19 |  |  | T = integers floats complexes float8s string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Resize 10 | mode: string=nearest | X: T, scales: float32 -> Y: T | T = integers floats complexes string bool
11 | coordinate_transformation_mode: string=half_pixel, cubic_coeff_a: float=-0.75, exclude_outside: int=0, extrapolation_value: float=0.0, nearest_mode: string=round_prefer_floor | X: T1, roi: T2, scales: float32, sizes?: int64 -> Y: T1 | -T, T1 = integers floats complexes string bool, T2 = floats
13 |  | X: T1, roi?: T2, scales?: float32, sizes?: int64 -> Y: T1 | T1 = integers floats complexes string bool bfloat16
18 | antialias: int=0, axes: ints, keep_aspect_ratio_policy: string=stretch
19
ReverseSequence 10 | batch_axis: int=1, time_axis: int=0 | input: T, sequence_lens: int64 -> Y: T | T = integers floats complexes string bool
RoiAlign 10 | mode: string=avg, output_height: int=1, output_width: int=1, sampling_ratio: int=0, spatial_scale: float=1.0 | X: T1, rois: T1, batch_indices: T2 -> Y: T1 | T1 = floats, T2 = int64
16 | coordinate_transformation_mode: string=half_pixel
22 |  |  | T1 = floats bfloat16
RotaryEmbedding 23 | interleaved: int=0, num_heads: int, rotary_embedding_dim: int=0 | X: T, cos_cache: T, sin_cache: T, position_ids?: M -> Y: T | T = float32 float16 bfloat16, M = int64
Round 11 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
STFT 17 | onesided: int=1 | signal: T1, frame_step: T2, window?: T1, frame_length?: T2 -> output: T1 | T1 = floats bfloat16, T2 = int32 int64
Scan 8 | body!: graph, directions: ints, num_scan_inputs!: int | sequence_lens?: I, initial_state_and_scan_inputs*: V -> final_state_and_scan_outputs*: V | I = int64, V = integers floats complexes string bool
9 | -directions, scan_input_axes: ints, scan_input_directions: ints, scan_output_axes: ints, scan_output_directions: ints | initial_state_and_scan_inputs*: V -> final_state_and_scan_outputs*: V | -I
11
16 |  |  | V = integers floats complexes string bool bfloat16
19 |  |  | V = integers floats complexes float8s string bool bfloat16
21 |  |  | V = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | V = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | V = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | V = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Scatter 9 | axis: int=0 | data: T, indices: Tind, updates: T -> output: T | T = integers floats complexes string bool, Tind = int32 int64
11 | deprecated
ScatterElements 11 | axis: int=0 | data: T, indices: Tind, updates: T -> output: T | T = integers floats complexes string bool, Tind = int32 int64
13 |  |  | T = integers floats complexes string bool bfloat16
16 | reduction: string=none
18
ScatterND 11 |  | data: T, indices: int64, updates: T -> output: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
16 | reduction: string=none
18
Selu 1 | alpha: float=1.6732, consumed_inputs: ints, gamma: float=1.0507 | X: T -> Y: T | T = floats
6 | -consumed_inputs, alpha: float=1.67326
22 |  |  | T = floats bfloat16
SequenceAt 11 |  | input_sequence: S, position: I -> tensor: T | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), T = integers floats complexes string bool, I = int32 int64
SequenceConstruct 11 |  | inputs...: T -> output_sequence: S | T = integers floats complexes string bool, S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool)
SequenceEmpty 11 | dtype: int | -> output: S | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool)
SequenceErase 11 |  | input_sequence: S, position?: I -> output_sequence: S | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), I = int32 int64
SequenceInsert 11 |  | input_sequence: S, tensor: T, position?: I -> output_sequence: S | T = integers floats complexes string bool, S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), I = int32 int64
SequenceLength 11 |  | input_sequence: S -> length: I | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), I = int64
SequenceMap 17 | body!: graph | input_sequence: S, additional_inputs*?: V -> out_sequence*: S | S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool), V = integers floats complexes seq(integers) seq(floats) seq(complexes) string seq(string) bool seq(bool)
Shape 1 |  | data: T -> shape: T1 | T = integers floats complexes string bool, T1 = int64
13 |  |  | T = integers floats complexes string bool bfloat16
15 | end: int, start: int=0
19 |  |  | T = integers floats complexes float8s string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Shrink 9 | bias: float=0.0, lambd: float=0.5 | input: T -> output: T | T = integers floats
Sigmoid 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
Sign 9 |  | input: T -> output: T | T = integers floats
13 |  |  | T = integers floats bfloat16
Sin 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Sinh 9 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Size 1 |  | data: T -> size: T1 | T = integers floats complexes string bool, T1 = int64
13 |  |  | T = integers floats complexes string bool bfloat16
19 |  |  | T = integers floats complexes float8s string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Slice 1 | axes: ints, ends!: ints, starts!: ints | data: T -> output: T | T = integers floats complexes string bool
10 | -axes, -ends, -starts | data: T, starts: Tind, ends: Tind, axes?: Tind, steps?: Tind -> output: T | Tind = int32 int64
11
13 |  |  | T = integers floats complexes string bool bfloat16
Softmax 1 | axis: int=1 | input: T -> output: T | T = floats
11
13 | axis: int=-1 |  | T = floats bfloat16
SoftmaxCrossEntropyLoss 12 | ignore_index: int, reduction: string=mean | scores: T, labels: Tind, weights?: T -> output: T, log_prob?: T | T = floats, Tind = int32 int64
13 |  |  | T = floats bfloat16
Softplus 1 |  | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Softsign 1 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
SpaceToDepth 1 | blocksize!: int | input: T -> output: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
Split 1 | axis: int, split: ints | input: T, split?: T -> outputs...: T | T = floats
2 | axis: int=0 | input: T -> outputs...: T | T = integers floats complexes string bool
11
13 | -split | input: T, split?: int64 -> outputs...: T | T = integers floats complexes string bool bfloat16
18 | num_outputs: int
SplitToSequence 11 | axis: int=0, keepdims: int=1 | input: T, split?: I -> output_sequence: S | T = integers floats complexes string bool, I = int32 int64, S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool)
24 |  |  | T = integers floats complexes string bool bfloat16, S = seq(integers) seq(floats) seq(complexes) seq(string) seq(bool) seq(bfloat16)
Sqrt 1 | consumed_inputs: ints | X: T -> Y: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
Squeeze 1 | axes: ints | data: T -> squeezed: T | T = integers floats complexes string bool
11
13 | -axes | data: T, axes?: int64 -> squeezed: T | T = integers floats complexes string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
StringConcat 20 |  | X: T, Y: T -> Z: T | T = string
StringNormalizer 10 | case_change_action: string=NONE, is_case_sensitive: int=0, locale: string, stopwords: strings | X: string -> Y: string
StringSplit 20 | delimiter: string, maxsplit: int | X: T1 -> Y: T2, Z: T3 | T1 = string, T2 = string, T3 = int64
Sub 1 | axis: int, broadcast: int=0, consumed_inputs: ints | A: T, B: T -> C: T | T = floats
6 | -consumed_inputs |  | T = floats int32 int64 uint32 uint64
7 | -axis, -broadcast
13 |  |  | T = floats int32 int64 uint32 uint64 bfloat16
14 |  |  | T = integers floats bfloat16
Sum 1 | consumed_inputs: ints | data_0...: T -> sum: T | T = floats
6 | -consumed_inputs
8
13 |  |  | T = floats bfloat16
SwiGLU 28 | alpha: float=1.0 | A: T, B: T -> Y: T | T = floats bfloat16
Swish 24 | alpha: float=1.0 | X: T -> Y: T | T = floats bfloat16
Tan 7 |  | input: T -> output: T | T = floats
22 |  |  | T = floats bfloat16
Tanh 1 | consumed_inputs: ints | input: T -> output: T | T = floats
6 | -consumed_inputs
13 |  |  | T = floats bfloat16
TensorScatter 24 | axis: int=-2, mode: string=linear | past_cache: T, update: T, write_indices?: int64 -> present_cache: T | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
TfIdfVectorizer 9 | max_gram_length!: int, max_skip_count!: int, min_gram_length!: int, mode!: string, ngram_counts!: ints, ngram_indexes!: ints, pool_int64s: ints, pool_strings: strings, weights: floats | X: T -> Y: T1 | T = int32 int64 string, T1 = float32
ThresholdedRelu 10 | alpha: float=1.0 | X: T -> Y: T | T = floats
22 |  |  | T = floats bfloat16
Tile 1 |  | input: T, tiles: T, axis: T -> output: T | T = floats, T1 = int64
6 |  | input: T, repeats: T1 -> output: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
TopK 1 | axis: int=-1, k!: int | X: T -> Values: T, Indices: I | T = floats, I = int64
10 | -k | X: T, K: int64 -> Values: T, Indices: I
11 | largest: int=1, sorted: int=1 |  | T = integers floats
24 |  |  | T = integers floats bfloat16
Transpose 1 | perm: ints | data: T -> transposed: T | T = integers floats complexes string bool
13 |  |  | T = integers floats complexes string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Trilu 14 | upper: int=1 | input: T, k?: int64 -> output: T | T = integers floats complexes string bool bfloat16
Unique 11 | axis: int, sorted: int=1 | X: T -> Y: T, indices?: int64, inverse_indices?: int64, counts?: int64 | T = integers floats complexes string bool
Unsqueeze 1 | axes!: ints | data: T -> expanded: T | T = integers floats complexes string bool
11
13 | -axes | data: T, axes: int64 -> expanded: T | T = integers floats complexes string bool bfloat16
21 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4
23 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1
24 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0
25 |  |  | T = integers floats complexes float8s string bool bfloat16 uint4 int4 float4e2m1 float8e8m0 uint2 int2
Upsample 1 | height_scale!: float, mode: string=nearest, width_scale!: float | X: T -> Y: T | T = floats int32 int64 bool
7 | -height_scale, -width_scale, scales!: floats |  | T = integers floats complexes string bool
9 | -scales | X: T, scales: float32 -> Y: T
10 | deprecated
Where 9 |  | condition: B, X: T, Y: T -> output: T | B = bool, T = integers floats complexes string bool
16 |  |  | T = integers floats complexes string bool bfloat16
Xor 1 | axis: int, broadcast: int=0 | A: T, B: T -> C: T1 | T = bool, T1 = bool
7 | -axis, -broadcast
domain ai.onnx.ml
ArrayFeatureExtractor 1 |  | X: T, Y: int64 -> Z: T | T = float32 int32 int64 string float64
Binarizer 1 | threshold: float=0.0 | X: T -> Y: T | T = float32 int32 int64 float64
CastMap 1 | cast_to: string=TO_FLOAT, map_form: string=DENSE, max_map: int=1 | X: T1 -> Y: T2 | T1 = map(int64,float32) map(int64,string), T2 = float32 int64 string
CategoryMapper 1 | cats_int64s: ints, cats_strings: strings, default_int64: int=-1, default_string: string=_Unused | X: T1 -> Y: T2 | T1 = int64 string, T2 = int64 string
DictVectorizer 1 | int64_vocabulary: ints, string_vocabulary: strings | X: T1 -> Y: T2 | T1 = map(int64,float32) map(string,float32) map(string,int64) map(int64,string) map(int64,float64) map(string,float64), T2 = float32 int64 string float64
FeatureVectorizer 1 | inputdimensions: ints | X...: T1 -> Y: float32 | T1 = float32 int32 int64 float64
Imputer 1 | imputed_value_floats: floats, imputed_value_int64s: ints, replaced_value_float: float=0.0, replaced_value_int64: int=0 | X: T -> Y: T | T = float32 int32 int64 float64
LabelEncoder 1 | classes_strings: strings, default_int64: int=-1, default_string: string=_Unused | X: T1 -> Y: T2 | T1 = int64 string, T2 = int64 string
2 | -classes_strings, default_float: float=-0.0, keys_floats: floats, keys_int64s: ints, keys_strings: strings, values_floats: floats, values_int64s: ints, values_strings: strings |  | T1 = float32 int64 string, T2 = float32 int64 string
4 | default_tensor: tensor, keys_tensor: tensor, values_tensor: tensor |  | T1 = float32 int16 int32 int64 string float64, T2 = float32 int16 int32 int64 string float64
LinearClassifier 1 | classlabels_ints: ints, classlabels_strings: strings, coefficients!: floats, intercepts: floats, multi_class: int=0, post_transform: string=NONE | X: T1 -> Y: T2, Z: float32 | T1 = float32 int32 int64 float64, T2 = int64 string
LinearRegressor 1 | coefficients: floats, intercepts: floats, post_transform: string=NONE, targets: int=1 | X: T -> Y: float32 | T = float32 int32 int64 float64
Normalizer 1 | norm: string=MAX | X: T -> Y: float32 | T = float32 int32 int64 float64
OneHotEncoder 1 | cats_int64s: ints, cats_strings: strings, zeros: int=1 | X: T -> Y: float32 | T = float32 int32 int64 string float64
SVMClassifier 1 | classlabels_ints: ints, classlabels_strings: strings, coefficients: floats, kernel_params: floats, kernel_type: string=LINEAR, post_transform: string=NONE, prob_a: floats, prob_b: floats, rho: floats, support_vectors: floats, vectors_per_class: ints | X: T1 -> Y: T2, Z: float32 | T1 = float32 int32 int64 float64, T2 = int64 string
SVMRegressor 1 | coefficients: floats, kernel_params: floats, kernel_type: string=LINEAR, n_supports: int=0, one_class: int=0, post_transform: string=NONE, rho: floats, support_vectors: floats | X: T -> Y: float32 | T = float32 int32 int64 float64
Scaler 1 | offset: floats, scale: floats | X: T -> Y: float32 | T = float32 int32 int64 float64
TreeEnsemble 5 | aggregate_function: int=1, leaf_targetids!: ints, leaf_weights!: tensor, membership_values: tensor, n_targets: int, nodes_falseleafs!: ints, nodes_falsenodeids!: ints, nodes_featureids!: ints, nodes_hitrates: tensor, nodes_missing_value_tracks_true: ints, nodes_modes!: tensor, nodes_splits!: tensor, nodes_trueleafs!: ints, nodes_truenodeids!: ints, post_transform: int=0, tree_roots!: ints | X: T -> Y: T | T = floats
TreeEnsembleClassifier 1 | base_values: floats, class_ids: ints, class_nodeids: ints, class_treeids: ints, class_weights: floats, classlabels_int64s: ints, classlabels_strings: strings, nodes_falsenodeids: ints, nodes_featureids: ints, nodes_hitrates: floats, nodes_missing_value_tracks_true: ints, nodes_modes: strings, nodes_nodeids: ints, nodes_treeids: ints, nodes_truenodeids: ints, nodes_values: floats, post_transform: string=NONE | X: T1 -> Y: T2, Z: float32 | T1 = float32 int32 int64 float64, T2 = int64 string
3 | base_values_as_tensor: tensor, class_weights_as_tensor: tensor, nodes_hitrates_as_tensor: tensor, nodes_values_as_tensor: tensor
5 | deprecated
TreeEnsembleRegressor 1 | aggregate_function: string=SUM, base_values: floats, n_targets: int, nodes_falsenodeids: ints, nodes_featureids: ints, nodes_hitrates: floats, nodes_missing_value_tracks_true: ints, nodes_modes: strings, nodes_nodeids: ints, nodes_treeids: ints, nodes_truenodeids: ints, nodes_values: floats, post_transform: string=NONE, target_ids: ints, target_nodeids: ints, target_treeids: ints, target_weights: floats | X: T -> Y: float32 | T = float32 int32 int64 float64
3 | base_values_as_tensor: tensor, nodes_hitrates_as_tensor: tensor, nodes_values_as_tensor: tensor, target_weights_as_tensor: tensor
5 | deprecated
ZipMap 1 | classlabels_int64s: ints, classlabels_strings: strings | X: float32 -> Z: T | T = seq(map(string,float32)) seq(map(int64,float32))
domain ai.onnx.preview
FlexAttention 1 | prob_mod: graph, scale: float, score_mod: graph, softmax_precision: int | Q: T1, K: T1, V: T1 -> Y: T1 | T1 = floats bfloat16
domain ai.onnx.preview.training
Adagrad 1 | decay_factor: float=0.0, epsilon: float=0.0, norm_coefficient: float=0.0 | R: T1, T: T2, inputs*: T3 -> outputs*: T3 | T1 = float32 float64, T2 = int64, T3 = float32 float64
Adam 1 | alpha: float=0.9, beta: float=0.999, epsilon: float=0.0, norm_coefficient: float=0.0, norm_coefficient_post: float=0.0 | R: T1, T: T2, inputs*: T3 -> outputs*: T3 | T1 = float32 float64, T2 = int64, T3 = float32 float64
Gradient 1 | xs!: strings, y!: string, zs: strings | Inputs*: T1 -> Outputs*: T2 | T1 = integers floats complexes string bool, T2 = floats
Momentum 1 | alpha!: float, beta!: float, mode!: string, norm_coefficient!: float | R: T1, T: T2, inputs*: T3 -> outputs*: T3 | T1 = float32 float64, T2 = int64, T3 = float32 float64
`;
