// Takes out of the image decoders what no picture of this package reaches: files become RGBA, as large as they are, without options.
// Functions are numbers, as these binaries have no names; each group says why nothing comes to it. What is left gives the same bits.
import { createHash } from 'node:crypto';
import binaryen from 'assemblyscript/binaryen';

const span = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/**
 * Functions that trap from now on, and those that do nothing, by binary; what only they call goes with them. Texts that nobody reads,
 * from the first to the last of some that lie side by side, become zeros: 6 kB of the package.
 */
const UNREACHED = {
  'jpeg-decoder': {
    sha256: '80ed55eef2d0ff276f837ef521fad8181ccdfa6f298f652f6e45aed7fbbbc871',
    trapping: {
      'inverse transforms of 1 to 7 and 9 to 16 rows, for other scales; fast and float ones, for other methods (jidct*.c)':
        [...span(88, 94), ...span(96, 105)],
      'fewer colours: quantize_colors is false (jquant1.c, jquant2.c)': [135, 136, 139, 140, ...span(176, 184)],
      'upsampling with conversion: do_fancy_upsampling is true (jdmerge.c)': span(142, 150),
      'grey, as it is, and RGB565: out_color_space is JCS_EXT_RGBA (jdcolor.c)': [72, 73, 77, ...span(79, 85)],
      'sscanf of JPEGMEM, of an environment that is empty, and putenv, for flags that are 0 (jmemmgr.c, turbojpeg.c)': [
        14, 17, 23,
      ],
    },
    silent: { 'format_message: nobody reads what warnings and errors say (jerror.c)': [174] },
    unread: {
      'names of error numbers (strerror.c)': [['Success', 'No error information']],
      'warnings and errors (jerror.h, cderror.h)': [['Bogus message code %d', 'Corrupt JPEG data: bad ICC marker']],
      'why a call failed (turbojpeg.c)': [
        ['Invalid handle', 'tjDecompressHeader3(): Invalid argument'],
        [
          'tjDecompressHeader3(): Could not determine subsampling type for JPEG image',
          'tjDecompressHeader3(): Invalid data returned in header',
        ],
        ['tjDecompress2(): Instance has not been initialized for decompression', 'JSIMD_FORCESSE2=1'],
        ['tjDecompress2(): Could not scale down to desired image dimensions'],
        ['tjDecompress2(): Memory allocation failure'],
      ],
    },
  },
  'webp-decoder': {
    sha256: 'b0bc0f19c589f0d7f27cd98191bc113d0779108a10f38538f466cea4985c480e',
    trapping: {
      'what assert prints before it ends': [6],
      'other orders of channels, where chroma is not halved: the mode is MODE_RGBA (yuv.c, upsampling.c)': [
        208,
        ...span(210, 214),
      ],
      'other sizes: there are no options (rescaler.c, io_dec.c)': [90, ...span(98, 102)],
    },
    silent: {},
    unread: {
      'names of error numbers (strerror.c)': [['Success', 'No error information']],
      'assertions, and what errors are (dec/*.c, dsp/*.c, utils/*.c)': [
        ['libwebp/src/dec/alpha_dec.c', 'alph_dec->vp8l_dec_ != NULL'],
        ['worker->status_ == OK', 'VP8ProcessRow'],
        ['limit >= 3', 'Could not decode alpha data.'],
        ['Frame setup failed', 'CustomPut'],
        ['null VP8Io passed to VP8GetHeaders()', 'ReadTransform'],
        ['data == NULL', 'RestoreState'],
        ['row <= dec->io_->crop_bottom', 'AccumulateHCode'],
        ['dec != NULL', 'params != NULL'],
        ['(in) != NULL', 'VP8LReadBits'],
        ['cc != NULL', 'ReplicateValue'],
        ['scaled_width != NULL', 'WebPSafeCalloc'],
      ],
    },
  },
};

/** The binary with zeros in place of texts. */
function withoutTexts(binary, spans) {
  const bytes = Buffer.from(binary);
  for (const [first, last = first] of spans) {
    const [start, end] = [bytes.indexOf(`${first}\0`), bytes.indexOf(`${last}\0`) + last.length];
    if (start < 0 || end <= start || /[^\n -~\0]/.test(bytes.toString('latin1', start, end)))
      throw new Error(`"${first}" to "${last}": there is more than text between them`);
    bytes.fill(0, start, end);
  }
  return bytes;
}

/** The binary of that name without what is never reached. */
export function trimmed(name, binary) {
  const { sha256, trapping, silent, unread } = UNREACHED[name];
  const found = createHash('sha256').update(binary).digest('hex');
  if (found !== sha256)
    throw new Error(
      `${name}.wasm is another binary (${found}): tools/trim-decoders.mjs counts the functions of ${sha256}`,
    );
  const module = binaryen.readBinary(withoutTexts(binary, Object.values(unread).flat()));
  const replace = (groups, body) => {
    for (const number of Object.values(groups).flat()) binaryen.Function(module.getFunction(`${number}`)).body = body();
  };
  replace(trapping, () => module.unreachable());
  replace(silent, () => module.nop());
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(1);
  module.optimize();
  if (!module.validate()) throw new Error(`${name}.wasm is no longer valid`);
  return module.emitBinary();
}
