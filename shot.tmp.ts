import { openStudio, closeStudio } from './test/studio/studio-page.js';
const [, , width, height, scheme, out, file, script] = process.argv;
const { page, problems } = await openStudio({ width: +width!, height: +height!, scheme: scheme as 'light' });
if (file) {
  const c = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await (await c).setFiles(file.split(','));
  await page.waitForTimeout(1500);
}
if (script) await new Function('page', `return (async()=>{${script}})()`)(page);
await page.waitForTimeout(600);
await page.screenshot({ path: out });
console.log(problems, await page.evaluate('window.longTasks'));
await closeStudio();
process.exit(0);
