import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bytesOf, worst } from '../image/bytes.js';
import { held } from '../image/held.js';
import { FILES } from '../image/pictures.js';
import { chromium } from './chromium.js';
import { packedPackage } from './packed-package.js';
import { serve } from './site.js';

interface Seen {
  readonly dims: readonly number[];
  readonly quarters: readonly (readonly number[])[];
}

interface Outcome {
  readonly message?: string;
  readonly from: Readonly<Record<string, Seen>>;
  readonly early: string;
  readonly refused: readonly string[];
  readonly held: readonly number[];
  readonly isImageData: boolean;
  readonly comesBack: boolean;
  readonly warmed: boolean;
}

const test = suite('pictures in Chromium');
const launch = chromium();

const QUARTERS = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];

/** Video has its colours by luminance and chrominance, in 8 bits each. */
const LOSSY: Readonly<Record<string, number>> = { video: 8, VideoFrame: 2, WebP: 8 };

if (launch)
  test('whatever a page can draw becomes a tensor, and comes back', async () => {
    const { folder } = packedPackage();
    writeFileSync(join(folder, 'held.jpg'), held(bytesOf(FILES.jpeg.file), 6, true));
    const site = await serve(folder);
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(`${site.address}/page?script=pictures.js&policy=none`);
      const late = "new Promise((resolve) => setTimeout(resolve, 30_000, { message: 'no answer' }))";
      const found = await page.evaluate<Outcome>(`Promise.race([globalThis.outcome, ${late}])`);
      assert.is(found.message, undefined);
      for (const [name, { dims, quarters }] of Object.entries(found.from)) {
        assert.equal(dims, name === 'scaled' ? [1, 16, 24, 3] : [1, 32, 32, 3], name);
        const off = worst(quarters.flat(), QUARTERS);
        assert.ok(off <= (LOSSY[name] ?? 0), `${name}: ${off} off, ${JSON.stringify(quarters)}`);
      }
      assert.match(found.early, /HTMLVideoElement has no pixels yet: wait for its event "loadeddata"/);
      assert.match(found.refused[0] ?? '', /INVALID_VALUE .* is no picture that this browser decodes/);
      assert.match(found.refused[1] ?? '', /INVALID_VALUE the image of no address cannot be decoded/);
      assert.equal(found.held, [1, 3, 16, 8], 'a photo stands upright');
      assert.ok(found.isImageData && found.comesBack && found.warmed);
    } finally {
      await browser.close();
      site.close();
    }
  });

test.run();
