import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_FLAGS, findTool } from '../../../scripts/find-tools.mjs';

/** A picture of each plot beside it, light. Without a browser there are none, and that is said. */
export async function renderPngs(folder: string, names: readonly string[]): Promise<string | undefined> {
  const { path: executablePath, problem } = await findTool('browser');
  if (executablePath === undefined) return `no PNG: ${problem} (PLIANT_CHROMIUM can name a browser)`;
  try {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath, headless: true, args: [...BROWSER_FLAGS] });
    try {
      const page = await browser.newPage({ deviceScaleFactor: 1.5, colorScheme: 'light' });
      for (const name of names) {
        const svg = readFileSync(join(folder, `${name}.svg`), 'utf8');
        await page.setContent(`<body style="margin:0">${svg.replace('<svg ', '<svg width="760" ')}</body>`);
        await page.locator('svg').screenshot({ path: join(folder, `${name}.png`) });
      }
    } finally {
      await browser.close();
    }
    return undefined;
  } catch (error) {
    return `no PNG: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}
