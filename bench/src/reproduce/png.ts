import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CHROMIUMS = [
  process.env.PLIANT_CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage'];

/** A picture of each plot beside it, light. Without a browser there are none, and that is said. */
export async function renderPngs(folder: string, names: readonly string[]): Promise<string | undefined> {
  const executablePath = CHROMIUMS.find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined) return 'no PNG: Chromium is not here (PLIANT_CHROMIUM may name it)';
  try {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
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
