import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeStudio, openStudio } from './studio-page.js';

const test = suite('studio/tour');
test.after(closeStudio);

test('each step of the tour does what it describes', async () => {
  const { page, problems, close } = await openStudio();
  await page.getByRole('button', { name: 'Take the tour' }).click();
  const next = page.getByRole('dialog', { name: 'Tour' }).getByRole('button', { name: 'Next' });
  await next.click();
  await page.getByRole('article', { name: /^Run/ }).waitFor();
  await next.click();
  await page
    .getByRole('region', { name: 'Measure' })
    .getByText(/90th percentile|p90|90 %/i)
    .first()
    .waitFor();
  await next.click();
  await page.getByRole('table', { name: 'Values in this run' }).waitFor();
  await next.click();
  await page.getByRole('region', { name: 'Result' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
