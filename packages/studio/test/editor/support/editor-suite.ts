import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { OfferedFile } from '../../../../cli/src/studio/studio-server.ts';
import { type OpenOptions, SITE, StudioTester } from '../../support/studio.ts';
import { EditorPage } from './editor-page.ts';

/** A browser for the tests of a suite, one page at a time; what goes wrong on a page fails its test. */
export class EditorSuite {
  studio!: StudioTester;

  /** To be called where a suite is described. `files` are those that links with `open=served` mean. */
  constructor(files: () => OfferedFile[]) {
    beforeAll(async () => {
      this.studio = await StudioTester.start(SITE, files());
    });
    afterEach(async () => {
      await this.studio.closePage();
      expect(this.studio.problems).toEqual([]);
    });
    afterAll(() => this.studio?.stop());
  }

  /** The page, perhaps before anything is open in it. */
  async visit(link: string, options: OpenOptions = {}): Promise<EditorPage> {
    return new EditorPage(
      await this.studio.open(link, { viewport: { width: 1100, height: 760 }, ...options }),
    );
  }

  async open(link: string, options?: OpenOptions): Promise<EditorPage> {
    const editor = await this.visit(link, options);
    await editor.ready();
    return editor;
  }
}
