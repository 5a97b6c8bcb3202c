import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type OfferedFile, type StudioServer, serveStudio } from '../../../cli/src/studio/studio-server.ts';
import { CHROMIUM, FLAGS } from '../../../cli/test/support/chromium.ts';
import type { App } from '../../src/app/app.ts';

export const SITE = process.env.PLIANT_STUDIO_SITE ?? fileURLToPath(new URL('../../dist', import.meta.url));

/** Pages are put together without GL: a quarter less work. The driver then speaks of it, which `isDriverTalk` leaves out. */
const WITHOUT_GL = '--disable-gpu-compositing';
const SEEN = "if (location.protocol !== 'about:') localStorage.setItem('pliant-studio-hints', 'seen')";

/** The page's policy refuses styles that are put into it, also those that hide the caret. */
export const WITHOUT_STYLE = { caret: 'initial' } as const;
const OVERLAYS = '.legend, .main-thread, .notices, .hints { visibility: hidden !important; }';

declare global {
  /** What main.ts leaves for tests. */
  var pliantStudio: App;
}

export interface OpenOptions extends BrowserContextOptions {
  readonly before?: string; // runs before the page's script
  readonly isNewcomer?: boolean; // hints are shown
  /** Problems that this test is about. */
  readonly expected?: RegExp;
}

/** A browser, a server and one page at a time. Problems on the console or on the network end up in `problems`. */
export class StudioTester {
  problems: string[] = [];
  page!: Page;
  readonly #browser: Browser;
  readonly #server: StudioServer;

  static async start(folder = SITE, files: readonly OfferedFile[] = []): Promise<StudioTester> {
    const server = await serveStudio({ folder, files, port: 0 });
    const args = [...FLAGS, WITHOUT_GL];
    const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args });
    return new StudioTester(browser, server);
  }

  private constructor(browser: Browser, server: StudioServer) {
    this.#browser = browser;
    this.#server = server;
  }

  get address(): string {
    return this.#server.address;
  }

  async open(link: string, options: OpenOptions = {}): Promise<Page> {
    const { before, isNewcomer = false, expected, ...context } = options;
    await this.closePage();
    const own = await this.#browser.newContext({
      viewport: { width: 900, height: 600 },
      reducedMotion: 'reduce', // the camera is there at once
      ...context,
    });
    this.page = await own.newPage();
    this.problems = [];
    const note = (text: string) => {
      if (!expected?.test(text)) this.problems.push(text);
    };
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isDriverTalk(message.text()))
        note(message.text());
    });
    this.page.on('pageerror', (error) => note(error.message));
    this.page.on('request', (request) => {
      if (!request.url().startsWith(new URL(this.address).origin) && !/^(data|blob):/.test(request.url())) {
        note(`asked for ${request.url()}`);
      }
    });
    if (!isNewcomer) await this.page.addInitScript(SEEN);
    if (before) await this.page.addInitScript(before);
    await this.page.goto(new URL(link, this.address).href);
    return this.page;
  }

  /** Until the scene is open and so many frames of it have been shown. */
  async frames(count: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => {
        const app = globalThis.pliantStudio;
        return app?.scene !== undefined && !app.isOpening && app.framesShown >= wanted;
      },
      count,
      { timeout: 90_000, polling: 50 },
    );
  }

  /** Share of the picture that differs from its most frequent colour, and of reddish pixels. */
  async picture(): Promise<{ drawn: number; red: number; colours: number; sum: number }> {
    await this.#hideOverlays(true);
    const bytes = await this.page.locator('#view').screenshot({ type: 'png', ...WITHOUT_STYLE });
    await this.#hideOverlays(false);
    return this.page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const counts = new Map<number, number>();
      let red = 0;
      let sum = 0;
      for (let k = 0; k < data.length; k += 4) {
        const [r, g, b] = [data[k], data[k + 1], data[k + 2]];
        const colour = (r << 16) | (g << 8) | b;
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
        if (r > 150 && g < 100 && b < 110) red++;
        sum = (sum * 31 + colour) % 1_000_000_007;
      }
      const pixels = data.length / 4;
      return {
        drawn: 1 - Math.max(...counts.values()) / pixels,
        red: red / pixels,
        colours: counts.size,
        sum,
      };
    }, bytes.toString('base64'));
  }

  async #hideOverlays(isHidden: boolean): Promise<void> {
    await this.page.evaluate(
      async (style) => {
        const sheet = await new CSSStyleSheet().replace(style);
        document.adoptedStyleSheets = style === '' ? [] : [sheet];
      },
      isHidden ? OVERLAYS : '',
    );
  }

  async closePage(): Promise<void> {
    await this.page?.context().close();
  }

  async stop(): Promise<void> {
    await this.closePage();
    await this.#browser.close();
    await this.#server.close();
  }
}

/** Software rendering speaks about its speed. */
function isDriverTalk(text: string): boolean {
  return /GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text);
}
